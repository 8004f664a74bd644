/** A value of a race-day field in a message. */
export class RaceDayLogField {
  /**
   * The id of the field.
   * @example checkIn
   */
  id: string;

  /**
   * The value that was sent.
   * @example true
   */
  value: unknown;
}

/** A race-day message of a participant, and its result. */
export class RaceDayLogMessage {
  /**
   * Its number in the log.
   * @example 1815
   */
  seq: string;

  /**
   * `TIMING`, `RACE_DAY`, `IMPORT` or `CATALOGUE`.
   * @example TIMING
   */
  source: string;

  /** @format date-time */
  receivedAt: string;

  /** @format date-time */
  changedAt: string;

  /**
   * The bib that the message names instead of a participant.
   * @example 1042
   */
  sentToBib: string | null;

  /** Whether it sets the bib. */
  setsBib: boolean;

  /**
   * The bib that it sets.
   * @example 1042
   */
  bibNumber: string | null;

  /**
   * The status of the parcel.
   * @example SHIPPED
   */
  status: string | null;

  /** @format date-time */
  shippedAt: string | null;

  /**
   * The carrier of the parcel.
   * @example DHL
   */
  carrier: string | null;

  /**
   * The tracking number of the parcel.
   * @example 00340434161094042557
   */
  trackingNumber: string | null;

  /** @format uri */
  trackingUrl: string | null;

  customFields: RaceDayLogField[] | null;

  /**
   * `APPLIED`, `PENDING`, or `WAITING` if the participant or bib does not exist yet.
   * @example APPLIED
   */
  state: string;
}

/** The holder of the bib that a participant claims without holding it. */
export class RaceDayBibHolder {
  /** @format uuid */
  participantId: string;

  /**
   * When they claimed it.
   * @format date-time
   */
  since: string;
}

/** The race-day log of a participant. */
export class RaceDayLog {
  /**
   * The bib of the newest message; `bibNumber` differs from it if another participant claimed it earlier.
   * @example 1042
   */
  bibClaim: string | null;

  holder: RaceDayBibHolder | null;

  /**
   * Superseded messages that have been deleted.
   * @integer
   * @example 0
   */
  foldedMessages: number;

  /**
   * The number of messages in the log; 10000 stands for that many or more.
   * @integer
   * @maximum 10000
   * @example 1
   */
  messageCount: number;

  /** The newest 500, by `changedAt`, then as received. `GET /console/v1/participants/{id}/race-day-messages` lists all. */
  messages: RaceDayLogMessage[];
}
