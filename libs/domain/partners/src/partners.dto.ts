import { ArrayUnique } from 'class-validator';
import {
  DateTime,
  Email,
  type EXTERNAL_ID_TYPES,
  Id,
  Int,
  Items,
  PARTNER_TYPES,
  Text,
  Value,
} from '#platform/validation';
import { IsLink, NAME, Nested } from './partners.rules';

/** The type of the partner. */
export type PartnerType = (typeof PARTNER_TYPES)[number];

/** The platforms whose ids of partners can be stored. */
export type ExternalIdType = (typeof EXTERNAL_ID_TYPES)[number];

/** A person at the partner. */
export class PartnerContact {
  @Text({ max: 255, pattern: /\S/, example: 'Grace' }) firstName: string;
  @Text({ max: 255, pattern: /\S/, example: 'Hopper' }) lastName: string;

  /** Surrounding white space is removed. */
  @Email({ example: 'grace.hopper@example.com' }) email: string;
  @Text({ max: 255, example: '+44 20 7946 0018' }) phone?: string | null;

  /** The role of the person. */
  @Text({ max: 255, example: 'Events lead' }) role?: string | null;
}

/** The marketing that participants are asked to opt in to. */
export class PartnerMarketing {
  /** The text of the checkbox. */
  @Text({ max: 2_000, pattern: /\S/, example: 'Tell me about your work, by email.' }) optInText: string;

  /** A link to more information. */
  @IsLink() url?: string | null;

  /** The logo beside the text. */
  @IsLink() logoUrl?: string | null;
}

/** The marketing for one event, which replaces the default. */
export class PartnerEventMarketing extends PartnerMarketing {
  /** An event of your organization. */
  @Id() eventId: string;
}

/**
 * A charity, company or sponsor that holds places or brings participants.
 * @mostBytes 40000
 */
export class Partner {
  @Id() id: string;
  @Text({ example: 'Harbour Hospice' }) name: string;

  /** A description of the partner. */
  @Text({ example: 'Cares for people at home along the coast.' }) description: string | null;
  type: PartnerType | null;

  /** The ids of the partner on other platforms, by platform. */
  @Value({ example: { ENTHUSE: 'harbour-hospice', SALESFORCE: '0015g00000Xa1bCAAR' } })
  externalIds: Partial<Record<ExternalIdType, string>>;
  contacts: PartnerContact[];

  /** The marketing for events without specific marketing. */
  defaultMarketing: PartnerMarketing | null;

  /** The marketing for single events. */
  specificMarketings: PartnerEventMarketing[];

  /** Whether the partner's keys may create sub-partners. */
  canCreateSubPartners: boolean;

  /** The partner that this is a sub-partner of; `null` if it is none. Never changes. */
  @Id() parentPartnerId: string | null;

  /** For keys of the partner: how often the discount codes that were given to this partner were used. */
  @Int({ example: 12 }) codeUses?: number;

  /** For keys of the partner: the entries that its participants referred and that are not cancelled. */
  @Int({ example: 3 }) referralCount?: number;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

class PartnerFields {
  /** A description of the partner. */
  @Text({ max: 10_000, example: 'Cares for people at home along the coast.' }) description?: string | null;

  /** The marketing for events without specific marketing. */
  @Nested(() => PartnerMarketing) defaultMarketing?: PartnerMarketing | null;

  /** Each event at most once. */
  @Nested(() => PartnerEventMarketing)
  @ArrayUnique((marketing?: PartnerEventMarketing) => marketing?.eventId, {
    message: 'specificMarketings must not contain an event twice',
  })
  @Items({ max: 100 })
  specificMarketings?: PartnerEventMarketing[];

  /** Whether the partner's keys may create sub-partners. A sub-partner's can't. */
  canCreateSubPartners?: boolean;
}

/** A new partner. */
export class PartnerCreate extends PartnerFields {
  /** At least two characters, the first of which is not a space. */
  @Text({ max: 255, pattern: NAME, example: 'Harbour Hospice' }) name: string;
  type?: PartnerType | null;

  /** The ids of the partner on other platforms, by platform, of up to 255 characters each. An id must not belong to another partner. */
  @Text({ max: 255, pattern: /\S/, example: { ENTHUSE: 'harbour-hospice' } })
  externalIds?: Partial<Record<ExternalIdType, string>>;

  /**
   * Makes the new partner a sub-partner of this one, which must not be a sub-partner itself. It can't be changed later. A partner's key
   * creates sub-partners of its partner only, so it can omit it.
   */
  @Id() parentPartnerId?: string | null;

  @Items({ min: 1, max: 100 }) contacts: PartnerContact[];
}

/**
 * Properties that are absent do not change; others are replaced. `null` clears `description` and `defaultMarketing`.
 * An empty object changes nothing.
 */
export class PartnerUpdate extends PartnerFields {
  /** At least two characters, the first of which is not a space. */
  @Text({ max: 255, pattern: NAME, example: 'Harbour Hospice' }) name?: string;

  /** Merged by platform: absent platforms do not change, others are replaced, and `null` removes an id. */
  @Text({ max: 255, pattern: /\S/, example: { ENTHUSE: 'harbour-hospice', SALESFORCE: null } })
  externalIds?: Partial<Record<ExternalIdType, string | null>>;
}
