import { SHIPPING_STATUSES } from '#platform/database';
import { BIB_NUMBER, DateTime, Items, Json, Text, Value } from '#platform/validation';

/** A race-day value, by the id of its field. Other fields do not change. */
export class RaceDayFieldUpdate {
  /** The id of the field. */
  @Text({ min: 1, max: 255, example: 'kit-collected' }) id: string;

  /** Any JSON value of up to 10,000 characters, including `null`. */
  @Json({ max: 10_000, example: true }) value: unknown;
}

/** The changes: `bibNumber`, `customFields` or both. */
export class RaceDayUpdate {
  /** The bib number; `null` removes it. */
  @Text({ max: 20, pattern: BIB_NUMBER, example: '1815' }) bibNumber?: string | null;

  /**
   * A participant has at most 200 fields. With everything else that was sent about the participant, they have at most 29,500
   * bytes of JSON.
   */
  @Items({ max: 100 }) @Json({ max: 100_000 }) customFields?: RaceDayFieldUpdate[];

  /**
   * When the change happened; not in the future. If absent: now, or just after the newest message about the
   * participant. With it, the update never replaces newer data: send it for changes that you stored while you were
   * offline.
   */
  @DateTime() changedAt?: string;
}

/** What became of the parcel of a participant. Texts that are absent do not change; they can't be removed. */
export class StaffShipping {
  status: (typeof SHIPPING_STATUSES)[number];

  /** The carrier. */
  @Text({ max: 255, pattern: /\S/, example: 'Royal Mail' }) carrier?: string;

  /** The tracking number of the carrier. */
  @Text({ max: 255, pattern: /\S/, example: 'RM123456785GB' }) trackingNumber?: string;
}

/** The changes: `bibNumber`, `customFields`, `shipping` or several. */
export class StaffRaceDayUpdate extends RaceDayUpdate {
  shipping?: StaffShipping;
}

/**
 * Why a bib does not show. `BIB_NUMBER_TAKEN`: another participant of the race claimed it earlier. `BIB_OVERTAKEN`: a
 * message with a time after its `changedAt` applies. `PARTICIPANT_CANCELLED`: a cancelled participant holds no bib.
 */
export type RaceDayConflict = 'BIB_NUMBER_TAKEN' | 'BIB_OVERTAKEN' | 'PARTICIPANT_CANCELLED';

/** The update is stored. It shows within moments, except for its conflicts. */
export class RaceDayReceipt {
  /** Always true. */
  @Value({ example: true }) success: boolean;

  /** A description of what happens next. */
  @Text({ example: 'The update is stored and shows within moments.' }) message: string;

  /**
   * The current reasons why the bib does not show; empty if there are none. The claim is kept: the bib shows when its
   * holder gives it up. `raceDayErrors` or `status` of the participant has the same information.
   */
  @Value({ example: [] }) conflicts: RaceDayConflict[];

  /** The path of the participant, who shows the update when it is applied. */
  @Text({ example: '/v0/participants/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) participantUrl: string;
}
