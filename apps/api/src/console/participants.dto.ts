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
   * The bib that shows.
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
   * The event’s.
   * @example Europe/London
   */
  timeZone: string;

  /** Whether the entry is cancelled. */
  cancelled: boolean;

  /** Whether personal data was removed for good. */
  gdprRedacted: boolean;

  /**
   * The race-day field `checkIn`, as it was set last.
   * @example true
   */
  checkIn: unknown;
}

/** Participants that a search found. */
export class FoundParticipants {
  /** The newest first: at most 50, for the role `RACE_DAY` at most 20. */
  data: FoundParticipant[];

  /** Whether there are more: type more. */
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

/** One message of a participant’s race day, and what became of it. */
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
   * The bib that it was sent to, where it named no participant.
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
   * The parcel’s status.
   * @example SHIPPED
   */
  status: string | null;

  /** @format date-time */
  shippedAt: string | null;

  /**
   * Who brings the parcel.
   * @example DHL
   */
  carrier: string | null;

  /**
   * The parcel’s number at its carrier.
   * @example 00340434161094042557
   */
  trackingNumber: string | null;

  /** @format uri */
  trackingUrl: string | null;

  customFields: RaceDayLogField[] | null;

  /**
   * `APPLIED`, `PENDING`, or `WAITING` where what it names is not there yet.
   * @example APPLIED
   */
  state: string;
}

/** Who has the bib that a participant claims in vain. */
export class RaceDayBibHolder {
  /** @format uuid */
  participantId: string;

  /**
   * When they claimed it.
   * @format date-time
   */
  since: string;
}

/** Everything that was said of a participant’s race day. */
export class RaceDayLog {
  /**
   * The bib of the newest message; `bibNumber` differs from it where someone claimed it earlier.
   * @example 1042
   */
  bibClaim: string | null;

  holder: RaceDayBibHolder | null;

  /**
   * Messages that newer ones overtook, and that were deleted since.
   * @integer
   * @example 0
   */
  foldedMessages: number;

  /** By `changedAt`, then as received. */
  messages: RaceDayLogMessage[];
}

/** A participant with the log of their race day. */
export class StaffParticipant extends FoundParticipant {
  raceDayLog: RaceDayLog;
}

/** What a redaction removed. */
export class ParticipantRedaction {
  /** `false` where it had been redacted before: what has come in since is removed all the same. */
  changed: boolean;

  /** Whether the booker was removed as well. */
  bookerRedacted: boolean;

  /**
   * How many rows of imports were cleared.
   * @integer
   * @example 1
   */
  importRows: number;

  /**
   * How many race-day messages were cleared.
   * @integer
   * @example 3
   */
  raceDayMessages: number;

  /**
   * How many credits were cleared.
   * @integer
   * @example 0
   */
  credits: number;

  /**
   * Rows of imports that name the person and are still to come: redact again after them.
   * @integer
   * @example 0
   */
  importRowsAhead: number;
}
