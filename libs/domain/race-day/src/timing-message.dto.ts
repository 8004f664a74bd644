import { type SHIPPING_STATUSES } from '#platform/database';
import { BIB_NUMBER, DateTime, Id, Int, Text, Uri, Value } from '#platform/validation';
/**
 * The shipment to the participant. Absent properties do not change; values can't be removed.
 * @open
 */
export class TimingShipping {
  /** When the shipment was sent. */
  @DateTime() shippedAt: string;
  @Value({ default: 'SHIPPED' }) status?: (typeof SHIPPING_STATUSES)[number] | null;

  /** The carrier. */
  @Text({ max: 255, pattern: /\S/, example: 'Royal Mail' }) carrier?: string | null;

  /** The tracking number of the carrier. */
  @Text({ max: 255, pattern: /\S/, example: 'RM123456785GB' }) trackingNumber?: string | null;

  /** The page that tracks the parcel. */
  @Uri() trackingUrl?: string | null;
}

/**
 * The participant and the new values. At least one of `bibNumber` and `shipping` is required.
 * @open
 */
export class TimingData {
  /** Identifies the participant. If absent, `bibNumber` identifies the participant. */
  @Id() participantId?: string | null;

  /**
   * With `participantId`: the new bib number of the participant; `null` removes it. Without `participantId`: identifies
   * the participant who had the bib at `changedAt`, or otherwise the first who had it after that, or otherwise the
   * last who had it before.
   */
  @Text({ max: 20, pattern: BIB_NUMBER, example: '1815' }) bibNumber?: string | null;
  shipping?: TimingShipping | null;
}

/**
 * A message of a timing partner. Unknown properties are skipped, whatever they contain.
 * @open
 */
export class TimingMessage {
  /** Additional properties are permitted. */
  schemaVersion: '1.0';
  data: TimingData;

  /**
   * When the change happened, at most 24 hours in the future. The message with the latest time applies, separately
   * for bib and shipping, in any order of receipt.
   */
  @DateTime() changedAt: string;
}

/**
 * Why a message, or a part of it, is not shown. `BIB_NUMBER_TAKEN`: another participant of the race claimed the bib
 * earlier. `BIB_OVERTAKEN`, `SHIPPING_OVERTAKEN`: a newer message applies. `PARTICIPANT_CANCELLED`: a cancelled
 * participant has no bib.
 */
export type TimingConflictCode =
  | 'BIB_NUMBER_TAKEN'
  | 'BIB_OVERTAKEN'
  | 'SHIPPING_OVERTAKEN'
  | 'PARTICIPANT_CANCELLED';

/** A message that was stored, but is not shown after the whole batch. */
export class TimingConflict {
  /** The index of the message, from 0. */
  @Int({ min: 0, example: 3 }) index: number;
  code: TimingConflictCode;
}

/** The messages are stored. They are applied within moments. */
export class TimingReceipt {
  /** Always true. */
  @Value({ example: true }) success: boolean;

  /** The number of messages. */
  @Int({ example: 500 }) received: number;

  /**
   * The indexes, from 0, of messages that do not identify a participant yet. They are kept for 30 days and applied when
   * the participant is created. A message with neither a participant nor a bib is not kept.
   */
  @Value({ example: [17] }) unidentified: number[];

  /**
   * The messages that are not shown after the whole batch. They are kept and may be shown later, for example when the
   * holder no longer has the bib.
   */
  conflicts: TimingConflict[];

  /** The path that tells what became of the messages. */
  @Text({ example: '/timing-inbound/v1/status' }) statusUrl: string;
}
