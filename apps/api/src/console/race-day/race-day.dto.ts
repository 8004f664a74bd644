import { AwaitedSubject, TimingStatus } from '#domain/race-day';
import { DateTime, Id, Int, Text } from '#platform/validation';

/** The messages that came in within a second. */
export class FeedSecond {
  /** Its begin. */
  @DateTime() second: string;

  /** How many messages came in. */
  @Int({ example: 28 }) messages: number;
}

/** Messages that wait. The counts end at 10,000. */
export class WaitingMessages {
  /** Messages that name a bib without a holder. */
  @Int({ example: 12 }) forBibs: number;

  /** Messages that name a participant who does not exist yet, or is not approved. */
  @Int({ example: 4 }) forParticipants: number;

  /** The 20 that most messages wait for. */
  most: AwaitedSubject[];
}

/** `PENDING`: not processed yet. `WAITING`: for its bib or participant. `APPLIED`: part of what the participant shows. */
export type FeedMessageState = 'PENDING' | 'WAITING' | 'APPLIED';

/** A timing message, a race-day update, or a bib that an import or a catalogue file brought. */
export type FeedMessageSource = 'TIMING' | 'RACE_DAY' | 'IMPORT' | 'CATALOGUE';

/** A message of the feed. */
export class FeedMessage {
  /** The place in the order of receipt. */
  @Text({ example: '81234' }) id: string;
  source: FeedMessageSource;
  @DateTime() receivedAt: string;

  /** When what it says was so. */
  @DateTime() changedAt: string;

  /** `null` while its participant is not identified. */
  @Id() participantId: string | null;

  /** The bib that it names or sets. */
  @Text({ example: '4711' }) bibNumber: string | null;

  /** Whether it sets or removes the bib. */
  setsBib: boolean;

  /** The state of the shipment, if it is about one. */
  @Text({ example: 'SHIPPED' }) shippingStatus: string | null;

  /** Whether it sets race-day fields, such as the check-in. */
  hasFields: boolean;
  state: FeedMessageState;
}

/** The live feed of race-day messages. */
export class RaceDayFeed {
  /** When this was read. */
  @DateTime() at: string;

  /** `perSecond` is complete from this time on: the last five minutes, or less if more than 20,000 messages came in. */
  @DateTime() countedSince: string;

  /** Seconds in which messages came in, oldest first. */
  perSecond: FeedSecond[];

  /** Messages that no worker has processed yet. The count ends at 10,000. */
  @Int({ example: 0 }) pending: number;
  waiting: WaitingMessages;

  /** What became of the messages of all timing keys. */
  timing: TimingStatus;

  /** The 50 newest, newest first. */
  latest: FeedMessage[];
}
