/** A participant as a search shows them. */
export class FoundParticipant {
  /** @format uuid */
  id: string;

  /** @example Ada */
  firstName: string | null;

  /** @example Lovelace */
  lastName: string | null;

  /**
   * `null` for the role `RACE_DAY`.
   * @format email
   */
  email: string | null;

  /**
   * `null` for the role `RACE_DAY`.
   * @format date
   */
  dateOfBirth: string | null;

  /**
   * The current bib.
   * @example 1042
   */
  bibNumber: string | null;

  /** @format uuid */
  eventOccurrenceId: string;

  /**
   * The title of the event occurrence.
   * @example City Marathon
   */
  eventTitle: string;

  /**
   * The title of the race.
   * @example Half marathon
   */
  raceTitle: string;

  /**
   * The title of the ticket.
   * @example 10K early bird
   */
  ticketTitle: string;

  /**
   * The time zone of the event.
   * @example Europe/London
   */
  timeZone: string;

  /** Whether the entry is cancelled. */
  cancelled: boolean;

  /** Whether the personal data was removed permanently. */
  gdprRedacted: boolean;

  /**
   * The latest value of the race-day field `checkIn`.
   * @example true
   */
  checkIn: unknown;

  /** Whether race-day messages about the participant are stored that this response does not include yet. */
  raceDayPending: boolean;
}

/** Participants that a search found. */
export class FoundParticipants {
  /** Newest first: at most 50, for the role `RACE_DAY` at most 20. */
  data: FoundParticipant[];

  /** Whether more participants match than the response contains. */
  hasMore: boolean;
}

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
   * The number of messages in the log.
   * @integer
   * @example 1
   */
  messageCount: number;

  /** The newest 500, by `changedAt`, then as received. `GET /console/v1/participants/{id}/race-day-messages` lists all. */
  messages: RaceDayLogMessage[];
}

/** A participant with the log of their race day. */
export class StaffParticipant extends FoundParticipant {
  raceDayLog: RaceDayLog;
}

/** What a redaction removed. */
export class ParticipantRedaction {
  /** `false` if the participant was already redacted; data that arrived since is removed too. */
  changed: boolean;

  /** Whether the booker was removed as well. */
  bookerRedacted: boolean;

  /**
   * The number of import rows that were cleared.
   * @integer
   * @example 1
   */
  importRows: number;

  /**
   * The number of race-day messages that were cleared.
   * @integer
   * @example 3
   */
  raceDayMessages: number;

  /**
   * The number of credits that were cleared.
   * @integer
   * @example 0
   */
  credits: number;

  /**
   * Unprocessed import rows that name the person: redact again after they are processed.
   * @integer
   * @example 0
   */
  importRowsAhead: number;
}
