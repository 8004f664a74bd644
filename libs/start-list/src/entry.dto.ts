import type { Course, EventLocation, RaceDistance, SportDiscipline } from '#libs/events';
import type { Price } from '#libs/resources';
import type { Booker, BookerType } from './booker.dto';

/** Whether the entry came through a reserved group or a partner. */
export type IncrementalStatus = 'INCREMENTAL' | 'NON_INCREMENTAL';

/** One answer of the booking form, with its question as it was asked. */
export class FieldAnswer {
  /**
   * The field's id.
   * @format uuid
   */
  id: string;

  /**
   * `firstName`, `lastName`, `email`, `dateOfBirth` and `gender` are the same everywhere.
   * @example firstName
   */
  key: string;

  /**
   * The question.
   * @example First name
   */
  label: string;

  /**
   * The field's type.
   * @example TEXT
   */
  type: string;

  /**
   * The answer; what it is follows from the type.
   * @example Ada
   */
  value: unknown;
}

/** The group that the entry starts with. */
export class EntryWave {
  /** @format uuid */
  id: string;

  /** @example Wave A */
  title: string;

  /**
   * When it starts; `null` while that is not confirmed.
   * @format date-time
   */
  startDateTime: string | null;

  /**
   * With `features=waves`: how many it takes; `null`: no limit of its own. Approvals keep to it, imports pass it.
   * @integer
   * @example 400
   */
  capacity?: number | null;
}

/** Something that became of the entry. */
export class StatusDetail {
  /**
   * What it became.
   * @example CANCELLED
   */
  status: string;

  /**
   * When it became so.
   * @format date-time
   */
  at: string;

  /**
   * Why, where a reason was given.
   * @example The booking was cancelled through the API.
   */
  reason: string | null;
}

/** Codes that were typed or followed at checkout. */
export class BookingCodesUsed {
  /**
   * Discount codes.
   * @example ["SPRING-15"]
   */
  discountCodes: string[];

  /**
   * Referral codes.
   * @example ["ADA-9QX2"]
   */
  referralCodes: string[];

  /**
   * Codes of reserved entry groups.
   * @example ["CHARITY-2026"]
   */
  reservedEntryCodes: string[];
}

/** Whether the participant agreed to hear from a partner. */
export class PartnerMarketingOptIn {
  /** @format uuid */
  partnerId: string;

  /** What they chose. */
  optedIn: boolean;
}

/** What applications and participants have in common: one start list entry is both. */
export class EntryRecord {
  /** @format uuid */
  id: string;

  /**
   * Its place within the booking, from 0.
   * @integer
   * @minimum 0
   */
  participantIndex: number;

  /** @format uuid */
  bookingId: string;

  /**
   * The booking's id in the system that it was imported from.
   * @example order-1815
   */
  externalBookingId: string | null;

  /**
   * The participant's id in the system that the entry was imported from.
   * @example runner-42
   */
  externalParticipantId: string | null;

  /**
   * The checkout; all bookings of one checkout have it in common.
   * @format uuid
   */
  transactionId: string;

  /** @format uuid */
  eventId: string;

  /** @format uuid */
  eventOccurrenceId: string;

  /** @format uuid */
  raceId: string;

  /** @format uuid */
  ticketId: string;

  /**
   * The ticket's title.
   * @example 10K early bird
   */
  ticketTitle: string;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;

  /** The wave that the entry starts in; empty where it has none yet. */
  waves: EntryWave[];

  /**
   * The answers of the booking form, in its order, and then names, email, date of birth and gender where the form lacks
   * them; empty once redacted.
   */
  fields: FieldAnswer[];

  booker: Booker;
  bookerType: BookerType;

  /** What the ticket cost before any discount. */
  originalTicketPrice: Price;

  incrementalStatus: IncrementalStatus;

  /**
   * The bib it wears.
   * @example 1042
   */
  bibNumber: string | null;

  bookingCodesUsed: BookingCodesUsed;

  /**
   * The link by which members of the reserved group book.
   * @format uri
   */
  reservedEntryUrl: string | null;

  partnerMarketingOptIns: PartnerMarketingOptIn[];

  /**
   * The organizer's own labels.
   * @example ["first-timer"]
   */
  tags: string[];

  /** Whether personal data was removed for good. */
  gdprRedacted: boolean;

  /** What became of the entry, oldest first; a cancelled one has a detail of status `CANCELLED`. */
  statusDetails: StatusDetail[];

  /**
   * Where the booking came from, as imported.
   * @example {"source": "newsletter", "medium": "email", "campaign": "spring"}
   */
  tracking: Record<string, unknown>;

  /**
   * The event's title.
   * @example City Marathon
   */
  eventName: string;

  /**
   * The race's title.
   * @example Half marathon
   */
  raceName: string;

  /**
   * The race's local start; midnight while only the day is confirmed, `null` while not even that.
   * @format date-time
   */
  raceStartDate: string | null;

  /** The race's discipline. */
  sportId: SportDiscipline | null;

  /**
   * The race's distance in one word.
   * @example 21.1-KM
   */
  distanceId: string | null;

  /** The race's distance; empty where it has none. */
  distances: RaceDistance[];

  /**
   * The discipline as people call it.
   * @example Running
   */
  disciplineLabel: string | null;

  course: Course | null;

  eventLocation: EventLocation;

  /**
   * Entries on one unit of the ticket: 1 for solo, more for teams and relays.
   * @integer
   * @minimum 1
   */
  competitorSize: number;

  /**
   * What members of the reserved group type at checkout.
   * @example CHARITY-2026
   */
  reservedEntryGroupCode: string | null;

  /**
   * The reserved group that the entry came through.
   * @example Runners of the River Trust
   */
  reservedEntryGroupName: string | null;

  /**
   * The ids that other platforms know the group's partner by, by their type; `null` without a partner.
   * @example {"ENTHUSE": "ENT-20417"}
   */
  reservedEntryPartnerExternalIds: Record<string, string> | null;

  /**
   * The partner that the reserved group belongs to.
   * @example River Trust
   */
  reservedEntryPartnerName: string | null;

  /**
   * With `extendMetadata=true`: everything imported alongside, as it was sent; in `startline` what the platform adds: the
   * import job and row, `source` (the platform that the row names, else the name of the API key), the time of booking,
   * external ids, and the times of the last race-day messages; and in `raceDayErrors` what keeps the newest bib from showing.
   * @example {"shop": "Covent Garden", "startline": {"importJobId": "01990f3e-7a54-7c1b-9d0e-5b1f6a2c8e47", "importRow": 17, "source": "Box office"}, "raceDayErrors": []}
   */
  metadata?: Record<string, unknown>;
}
