import { DateTime, Decimal, Id, Int, Text } from '#platform/validation';
/** A bib or participant that messages wait for. */
export class AwaitedSubject {
  /** The bib that no participant has yet; `null` if messages wait for a participant. */
  @Text({ example: '4711' }) bibNumber: string | null;

  /** The participant that does not exist yet, or is not approved; `null` if messages wait for a bib. */
  @Id() participantId: string | null;

  /** How many messages wait. */
  @Int({ example: 3 }) messages: number;

  /** When the first of them came in. */
  @DateTime() since: string;
}

/** What became of timing messages. `accepted` is the sum of `pending`, `applied` and `waiting`. */
export class TimingStatus {
  /** When this was read. */
  @DateTime() at: string;

  /** Messages that were accepted and kept. Messages that were forgotten unidentified, after 30 days, are not included. */
  @Int({ example: 48_213 }) accepted: number;

  /** Messages that are processed. What they say may have been superseded by newer messages. */
  @Int({ example: 48_190 }) applied: number;

  /** Messages that are not processed yet. */
  @Int({ example: 20 }) pending: number;

  /** The age of the oldest message that is not processed yet; 0 if there is none. */
  @Decimal({ example: 0.4 }) lagSeconds: number;

  /** Messages that name nobody yet. They are applied when the participant or the holder of the bib appears. */
  @Int({ example: 3 }) waiting: number;

  /** The 20 bibs and participants that most messages wait for, among 10,000 waiting messages. */
  waitingFor: AwaitedSubject[];

  /** The path of the list of waiting messages, with the reason of each. */
  @Text({ example: '/timing-inbound/v1/unidentified' }) unidentifiedUrl: string;
}

/**
 * `PARTICIPANT_UNKNOWN`: no participant with the id in the occurrences of the key that sent the message.
 * `PARTICIPANT_NOT_APPROVED`: the participant is an application that is not approved. `BIB_UNKNOWN`: nobody has the bib at
 * that time. `BIB_IN_SEVERAL_RACES`: participants of several races have it: send the participant's id, or use a key
 * for one occurrence.
 */
export type UnidentifiedReason =
  | 'PARTICIPANT_UNKNOWN'
  | 'PARTICIPANT_NOT_APPROVED'
  | 'BIB_UNKNOWN'
  | 'BIB_IN_SEVERAL_RACES';

/** A timing message that names nobody yet. */
export class UnidentifiedMessage {
  /** The place in the order of receipt. */
  @Text({ example: '81234' }) id: string;
  @DateTime() receivedAt: string;
  @DateTime() changedAt: string;

  /** The participant that the message names, if it does. */
  @Id() participantId: string | null;

  /** The bib that it names or sets. */
  @Text({ example: '4711' }) bibNumber: string | null;

  /** The state of the shipment, if it is about one. */
  @Text({ example: 'SHIPPED' }) shippingStatus: string | null;

  /** Why it names nobody, as of this response. */
  reason: UnidentifiedReason;
}
