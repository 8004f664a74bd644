/**
 * What was sent to the participant. Members left out keep what is stored; none can be cleared.
 * @open
 */
export class TimingShipping {
  /**
   * When it was sent.
   * @format date-time
   */
  shippedAt: string;

  /** @default SHIPPED */
  status?: 'SHIPPED' | 'DELIVERED' | 'RETURNED' | null;

  /**
   * Who carries it.
   * @pattern \S
   * @maxLength 255
   * @example Royal Mail
   */
  carrier?: string | null;

  /**
   * The carrier's number.
   * @pattern \S
   * @maxLength 255
   * @example RM123456785GB
   */
  trackingNumber?: string | null;

  /**
   * @format uri
   * @maxLength 2000
   */
  trackingUrl?: string | null;
}

/**
 * Whom the message is about, and what is new. At least one of `bibNumber` and `shipping` is there.
 * @open
 */
export class TimingData {
  /**
   * Names the participant. Without it `bibNumber` does.
   * @format uuid
   */
  participantId?: string | null;

  /**
   * With `participantId`: the bib that the participant gets; null takes it away. Without: names the participant
   * who held the bib as of `changedAt`, or else the first who held it after that.
   * @pattern ^[\p{L}\p{N}]([\p{L}\p{N} ._/-]{0,18}[\p{L}\p{N}])?$
   * @maxLength 20
   * @example 1815
   */
  bibNumber?: string | null;

  shipping?: TimingShipping | null;
}

/**
 * One message of a timing partner. Properties that it does not name are let through, and ignored.
 * @open
 */
export class TimingMessage {
  /** Also when more properties come with it. */
  schemaVersion: '1.0';

  data: TimingData;

  /**
   * When it became so, at the latest 24 hours from now. Of two messages the later one holds, for bib and shipping
   * each on its own, in whatever order they arrive.
   * @format date-time
   */
  changedAt: string;
}

/**
 * Why a message, or a part of it, doesn't show. `BIB_NUMBER_TAKEN`: another participant of the race claimed the bib
 * earlier. `BIB_OVERTAKEN`, `SHIPPING_OVERTAKEN`: a newer message holds. `PARTICIPANT_CANCELLED`: a cancelled
 * participant holds no bib.
 */
export type TimingConflictCode =
  | 'BIB_NUMBER_TAKEN'
  | 'BIB_OVERTAKEN'
  | 'SHIPPING_OVERTAKEN'
  | 'PARTICIPANT_CANCELLED';

/** A message that was stored but, as known at that moment, doesn't show. */
export class TimingConflict {
  /**
   * Which message, counted from 0.
   * @integer
   * @minimum 0
   * @example 3
   */
  index: number;

  code: TimingConflictCode;
}

/** What was received; it is durable, and applied within moments. */
export class TimingReceipt {
  /**
   * Always true.
   * @example true
   */
  success: boolean;

  /**
   * How many messages.
   * @integer
   * @example 500
   */
  received: number;

  /**
   * Which of them, counted from 0, identify no participant yet. They are kept for 30 days, and applied when the
   * participant appears. A message that names neither participant nor bib is not kept.
   * @example [17]
   */
  unidentified: number[];

  /**
   * Which of them were refused or overtaken, as known at that moment. They are kept, and may show later: for
   * example when the holder gives up the bib.
   */
  conflicts: TimingConflict[];
}
