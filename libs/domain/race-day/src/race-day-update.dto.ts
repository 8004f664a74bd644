import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { SHIPPING_STATUSES } from '#platform/database';
import { IsEachOf, IsOneOf } from '#platform/queries';
import { BIB_NUMBER, BIB_NUMBER_RULE, type BibNumber, MOST_JSON_CHARACTERS } from '#platform/validation';

/** The limit of characters of a value. */
const LONGEST_VALUE = 10_000;
/** More than the fields of a participant may have, including escapes and ids. Protects class-transformer. */
const LONGEST_FIELDS = 100_000;

/** Limits the characters of the value's JSON. */
const MostJson = (most: number) =>
  ValidateBy(
    {
      name: 'mostJson',
      validator: {
        validate: (value) => value === undefined || JSON.stringify(value).length <= most,
        defaultMessage: () => `$property must not be longer than ${most} characters of JSON`,
      },
    },
    { context: { schema: { [MOST_JSON_CHARACTERS]: most } } },
  );

/** A race-day value, by the id of its field. Other fields do not change. */
export class RaceDayFieldUpdate {
  /**
   * The id of the field.
   * @minLength 1
   * @maxLength 255
   * @example kit-collected
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  id: string;

  /**
   * Any JSON value of up to 10,000 characters, including `null`.
   * @example true
   */
  @ValidateIf((field) => field.value !== null)
  @IsDefined()
  @MostJson(LONGEST_VALUE)
  value: unknown;
}

/** The changes: `bibNumber`, `customFields` or both. */
export class RaceDayUpdate {
  /**
   * The bib number; `null` removes it.
   * @maxLength 20
   * @example 1815
   */
  @ValidateIf(({ bibNumber }) => bibNumber !== undefined && bibNumber !== null)
  @Matches(BIB_NUMBER, { message: `bibNumber ${BIB_NUMBER_RULE}` })
  bibNumber?: BibNumber | null;

  /**
   * A participant has at most 200 fields. With everything else that was sent about the participant, they have at most 29,500
   * bytes of JSON.
   * @maxItems 100
   */
  @ValidateIf(({ customFields }) => customFields !== undefined)
  @ArrayMaxSize(100)
  @IsArray()
  @MostJson(LONGEST_FIELDS)
  @IsEachOf(() => RaceDayFieldUpdate)
  customFields?: RaceDayFieldUpdate[];

  /**
   * When the change happened; not in the future. If absent: now, or just after the newest message about the
   * participant. With it, the update never replaces newer data: send it for changes that you stored while you were
   * offline.
   * @format date-time
   */
  @ValidateIf(({ changedAt }) => changedAt !== undefined)
  @IsString()
  changedAt?: string;
}

/** What became of the parcel of a participant. Texts that are absent do not change. */
export class StaffShipping {
  @IsIn(SHIPPING_STATUSES)
  status: (typeof SHIPPING_STATUSES)[number];

  /**
   * The carrier.
   * @maxLength 255
   * @example Royal Mail
   */
  @IsOptional()
  @IsString()
  @Matches(/\S/, { message: 'carrier must not be blank' })
  @MaxLength(255)
  carrier?: string | null;

  /**
   * The tracking number of the carrier.
   * @maxLength 255
   * @example RM123456785GB
   */
  @IsOptional()
  @IsString()
  @Matches(/\S/, { message: 'trackingNumber must not be blank' })
  @MaxLength(255)
  trackingNumber?: string | null;
}

/** The changes: `bibNumber`, `customFields`, `shipping` or several. */
export class StaffRaceDayUpdate extends RaceDayUpdate {
  @IsOptional()
  @IsOneOf(() => StaffShipping)
  shipping?: StaffShipping | null;
}

/**
 * Why a bib does not show. `BIB_NUMBER_TAKEN`: another participant of the race claimed it earlier. `BIB_OVERTAKEN`: a
 * message with a time after its `changedAt` applies. `PARTICIPANT_CANCELLED`: a cancelled participant holds no bib.
 */
export type RaceDayConflict = 'BIB_NUMBER_TAKEN' | 'BIB_OVERTAKEN' | 'PARTICIPANT_CANCELLED';

/** The update is stored. It shows within moments, except for its conflicts. */
export class RaceDayReceipt {
  /**
   * Always true.
   * @example true
   */
  success: boolean;

  /**
   * A description of what happens next.
   * @example The update is stored and shows within moments.
   */
  message: string;

  /**
   * The current reasons why the bib does not show; empty if there are none. The claim is kept: the bib shows when its
   * holder gives it up. `raceDayErrors` or `status` of the participant has the same information.
   * @example []
   */
  conflicts: RaceDayConflict[];

  /**
   * The path of the participant, who shows the update when it is applied.
   * @example /v0/participants/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b
   */
  participantUrl: string;
}
