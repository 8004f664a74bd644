import type { Price } from '#libs/resources';
import type { ImportedAnswer } from '#libs/start-list';

/** Who booked, elsewhere. */
export class ImportedBooker {
  /**
   * @format email
   * @maxLength 254
   */
  email: string;

  /**
   * @maxLength 255
   * @example Ada
   */
  firstName: string;

  /**
   * @maxLength 255
   * @example Lovelace
   */
  lastName: string;

  /**
   * @maxLength 50
   * @example +44 20 7946 0018
   */
  phone?: string | null;
}

export class ImportedTeam {
  /**
   * Entries of the same occurrence with the same name are one team.
   * @pattern \S
   * @maxLength 255
   * @example The Analytical Engines
   */
  name: string;

  /**
   * @maxLength 100
   * @example CAPTAIN
   */
  role?: string | null;
}

export class ImportedParticipant {
  /** @format uuid */
  ticketId: string;

  /**
   * @maxLength 255
   * @example Ada
   */
  firstName: string;

  /**
   * @maxLength 255
   * @example Lovelace
   */
  lastName: string;

  /**
   * Without one the booker's counts.
   * @format email
   * @maxLength 254
   */
  email?: string | null;

  /** @format date */
  dateOfBirth?: string | null;

  /**
   * @maxLength 50
   * @example FEMALE
   */
  gender?: string | null;

  /**
   * Your own id of the participant; add-on imports may name it.
   * @pattern \S
   * @maxLength 255
   * @example runner-4711
   */
  externalParticipantId?: string | null;

  /**
   * Letters, digits and ` ._/-`, at most 20.
   * @pattern ^[\p{L}\p{N}]([\p{L}\p{N} ._/-]{0,18}[\p{L}\p{N}])?$
   * @example A123
   */
  bibNumber?: string | null;

  /** @format uuid */
  waveId?: string | null;

  /**
   * Answers to the questions of the ticket's forms, which must fit them. Names, email, date of birth and gender have
   * properties of their own.
   * @maxItems 200
   */
  fields?: ImportedAnswer[];

  /**
   * What the entry cost in that sale before codes; the ticket's price unless given. Of entries that share a ticket
   * (`competitorSize`), in one booking and one team, the first of each unit carries it; on the others it fails with
   * `INVALID_PRICE`.
   */
  price?: Price | null;

  /** The ticket's own price in that sale, shown as `originalTicketPrice`; the ticket's price unless given. */
  originalPrice?: Price | null;

  /**
   * @maxItems 50
   * @example ["club"]
   */
  tags?: string[];

  /** The team that it runs in, by name. */
  team?: ImportedTeam | null;
}

/** One booking of a sale made elsewhere. */
export class BookingImportRow {
  /**
   * Your own id. A row whose id lives in your organization already changes nothing.
   * @pattern \S
   * @maxLength 255
   * @example order-1815
   */
  externalBookingId: string;

  /** @format uuid */
  eventOccurrenceId: string;

  booker: ImportedBooker;

  /**
   * Whom the booking is for: each becomes an entry and a line item.
   * @minItems 1
   * @maxItems 50
   */
  participants: ImportedParticipant[];

  /** @format date-time */
  bookedAt?: string | null;

  /** @default CONSUMER */
  bookerType?: 'CONSUMER' | 'PARTNER';

  /**
   * With `bookerType` `PARTNER`.
   * @format uuid
   */
  partnerId?: string | null;

  /**
   * A discount code of yours that the booking used. What it takes off becomes line items of type `DISCOUNT`.
   * @pattern \S
   * @maxLength 255
   * @example EARLY10
   */
  discountCode?: string | null;

  /**
   * Prices are those after `discountCode`: it is counted, nothing is taken off, and whether it fits is not checked.
   * `true` unless given where any participant has a `price`.
   */
  discountAlreadyApplied?: boolean | null;

  /**
   * Where the booker came from.
   * @example {"source": "newsletter", "campaign": "spring"}
   */
  tracking?: Record<string, unknown>;

  /**
   * The platform that the booking comes from, shown as `metadata.startline.source`; the name of the API key unless given.
   * @pattern \S
   * @maxLength 100
   * @example RACE_ROSTER
   */
  sourcePlatform?: string | null;

  /**
   * Anything else, shown by `extendMetadata` as it was sent. `startline` is the platform's own.
   * @example {"shop": "Covent Garden"}
   */
  metadata?: Record<string, unknown>;
}

export class BookingsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  bookings: BookingImportRow[];
}
