import { DateTime, Id, Int, Text, Uri, Value } from '#platform/validation';
/** A value of a race-day field in a message. */
export class RaceDayLogField {
  /** The id of the field. */
  @Text({ example: 'checkIn' }) id: string;

  /** The value that was sent. */
  @Value({ example: true }) value: unknown;
}

/** A race-day message of a participant, and its result. */
export class RaceDayLogMessage {
  /** Its number in the log. */
  @Text({ example: '1815' }) seq: string;

  /** `TIMING`, `RACE_DAY`, `IMPORT` or `CATALOGUE`. */
  @Text({ example: 'TIMING' }) source: string;
  @DateTime() receivedAt: string;
  @DateTime() changedAt: string;

  /** The bib that the message names instead of a participant. */
  @Text({ example: '1042' }) sentToBib: string | null;

  /** Whether it sets the bib. */
  setsBib: boolean;

  /** The bib that it sets. */
  @Text({ example: '1042' }) bibNumber: string | null;

  /** The status of the parcel. */
  @Text({ example: 'SHIPPED' }) status: string | null;
  @DateTime() shippedAt: string | null;

  /** The carrier of the parcel. */
  @Text({ example: 'DHL' }) carrier: string | null;

  /** The tracking number of the parcel. */
  @Text({ example: '00340434161094042557' }) trackingNumber: string | null;

  /** The page that tracks the parcel. */
  @Uri() trackingUrl: string | null;

  /** The values that it sets, by field. */
  customFields: RaceDayLogField[] | null;

  /** `APPLIED`, `PENDING`, or `WAITING` if the participant or bib does not exist yet. */
  @Text({ example: 'APPLIED' }) state: string;
}

/** The holder of the bib that a participant claims without holding it. */
export class RaceDayBibHolder {
  @Id() participantId: string;

  /** When they claimed it. */
  @DateTime() since: string;
}

/** The race-day log of a participant. */
export class RaceDayLog {
  /** The bib of the newest message; `bibNumber` differs from it if another participant claimed it earlier. */
  @Text({ example: '1042' }) bibClaim: string | null;
  holder: RaceDayBibHolder | null;

  /** Superseded messages that have been deleted. */
  @Int({ example: 0 }) foldedMessages: number;

  /** The number of messages in the log; 10000 stands for that many or more. */
  @Int({ max: 10_000, example: 1 }) messageCount: number;

  /** The newest 500, by `changedAt`, then as received. `GET /console/v1/participants/{id}/race-day-messages` lists all. */
  messages: RaceDayLogMessage[];
}
