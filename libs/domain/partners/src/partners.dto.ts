import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  IsUrl,
  IsUUID,
  Matches,
  MaxLength,
} from 'class-validator';
import { type EXTERNAL_ID_TYPES, PARTNER_TYPES } from '#platform/database';
import { IsEachOf, IsOneOf } from '#platform/queries';
import { ExternalIds, IfGiven, IsText, NAME } from './partners.rules';

/** The type of the partner. */
export type PartnerType = (typeof PARTNER_TYPES)[number];

/** The platforms whose ids of partners can be stored. */
export type ExternalIdType = (typeof EXTERNAL_ID_TYPES)[number];

const IsLink = () =>
  IsUrl(
    { protocols: ['http', 'https'], require_protocol: true },
    { message: '$property must be an http or https URL' },
  );

/** A person at the partner. */
export class PartnerContact {
  /**
   * @maxLength 255
   * @example Grace
   */
  @IsText()
  @MaxLength(255)
  firstName: string;

  /**
   * @maxLength 255
   * @example Hopper
   */
  @IsText()
  @MaxLength(255)
  lastName: string;

  /**
   * Surrounding white space is removed.
   * @format email
   * @maxLength 320
   * @example grace.hopper@example.com
   */
  @IsString()
  email: string;

  /**
   * @maxLength 255
   * @example +44 20 7946 0018
   */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  phone?: string | null;

  /**
   * The role of the person.
   * @maxLength 255
   * @example Events lead
   */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  role?: string | null;
}

/** The marketing that participants are asked to opt in to. */
export class PartnerMarketing {
  /**
   * The text of the checkbox.
   * @maxLength 2000
   * @example Tell me about your work, by email.
   */
  @IsText()
  @MaxLength(2_000)
  optInText: string;

  /** A link to more information. */
  @IsOptional()
  @IsLink()
  url?: string | null;

  @IsOptional()
  @IsLink()
  logoUrl?: string | null;
}

/** The marketing for one event, which replaces the default. */
export class PartnerEventMarketing extends PartnerMarketing {
  /**
   * An event of your organization.
   * @format uuid
   */
  @IsString()
  eventId: string;
}

/**
 * A charity, company or sponsor that holds places or brings participants.
 * @mostBytes 40000
 */
export class Partner {
  /** @format uuid */
  id: string;

  /** @example Harbour Hospice */
  name: string;

  /**
   * A description of the partner.
   * @example Cares for people at home along the coast.
   */
  description: string | null;

  type: PartnerType | null;

  /**
   * The ids of the partner on other platforms, by platform.
   * @example {"ENTHUSE": "harbour-hospice", "SALESFORCE": "0015g00000Xa1bCAAR"}
   */
  externalIds: Partial<Record<ExternalIdType, string>>;

  contacts: PartnerContact[];

  /** The marketing for events without specific marketing. */
  defaultMarketing: PartnerMarketing | null;

  /** The marketing for single events. */
  specificMarketings: PartnerEventMarketing[];

  /**
   * Whether the partner's keys may create sub-partners.
   */
  canCreateSubPartners: boolean;

  /**
   * The partner that this is a sub-partner of; `null` if it is none. Never changes.
   * @format uuid
   */
  parentPartnerId: string | null;

  /**
   * For keys of the partner: how often the discount codes that were given to this partner were used.
   * @integer
   * @example 12
   */
  codeUses?: number;

  /**
   * For keys of the partner: the entries that its participants referred and that are not cancelled.
   * @integer
   * @example 3
   */
  referralCount?: number;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}

class PartnerFields {
  /**
   * A description of the partner.
   * @maxLength 10000
   * @example Cares for people at home along the coast.
   */
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  description?: string | null;

  /** The marketing for events without specific marketing. */
  @IsOptional()
  @IsOneOf(() => PartnerMarketing)
  defaultMarketing?: PartnerMarketing | null;

  /**
   * Each event at most once.
   * @maxItems 100
   */
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(100)
  @IsEachOf(() => PartnerEventMarketing)
  @ArrayUnique((marketing?: PartnerEventMarketing) => marketing?.eventId, {
    message: 'specificMarketings must not contain an event twice',
  })
  specificMarketings?: PartnerEventMarketing[];

  /**
   * Whether the partner's keys may create sub-partners. A sub-partner's can't.
   */
  @IfGiven()
  @IsBoolean()
  canCreateSubPartners?: boolean;
}

/** A new partner. */
export class PartnerCreate extends PartnerFields {
  /**
   * At least two characters, the first of which is not a space.
   * @maxLength 255
   * @example Harbour Hospice
   */
  @Matches(NAME)
  @MaxLength(255)
  name: string;

  @IsOptional()
  @IsIn(PARTNER_TYPES)
  type?: PartnerType | null;

  /**
   * The ids of the partner on other platforms, by platform, of up to 255 characters each. An id must not belong to another partner.
   * @maxLength 255
   * @example {"ENTHUSE": "harbour-hospice"}
   */
  @IfGiven()
  @ExternalIds()
  externalIds?: Partial<Record<ExternalIdType, string>>;

  /**
   * Makes the new partner a sub-partner of this one, which must not be a sub-partner itself. It can't be changed later. A partner's key
   * creates sub-partners of its partner only, so it can omit it.
   * @format uuid
   */
  @IsOptional()
  @IsUUID()
  parentPartnerId?: string | null;

  /** @maxItems 100 */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @IsEachOf(() => PartnerContact)
  contacts: PartnerContact[];
}

/**
 * Properties that are absent do not change; others are replaced. `null` clears `description` and `defaultMarketing`.
 * An empty object changes nothing.
 */
export class PartnerUpdate extends PartnerFields {
  /**
   * At least two characters, the first of which is not a space.
   * @maxLength 255
   * @example Harbour Hospice
   */
  @IfGiven()
  @Matches(NAME)
  @MaxLength(255)
  name?: string;

  /**
   * Merged by platform: absent platforms do not change, others are replaced, and `null` removes an id.
   * @maxLength 255
   * @example {"ENTHUSE": "harbour-hospice", "SALESFORCE": null}
   */
  @IfGiven()
  @ExternalIds({ nullRemoves: true })
  externalIds?: Partial<Record<ExternalIdType, string | null>>;
}
