import { type Course, type EventLocation, type RaceDistance, type SportDiscipline } from '#domain/catalogue';
import type { Price } from '#platform/queries';
import type { Booker, BookerType } from './booker.dto';
import type {
  BookingCodesUsed,
  EntryWave,
  FieldAnswer,
  IncrementalStatus,
  PartnerMarketingOptIn,
  StatusDetail,
} from './entry-parts.dto';

/** The properties of applications and participants, which are the same start list entry. */
export class EntryRecord {
  /** @format uuid */
  id: string;

  /**
   * The position within the booking, from 0.
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
   * The checkout. All bookings of one checkout have the same id.
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

  /** The wave of the entry; empty if it has none. */
  waves: EntryWave[];

  /**
   * The answers of the booking form, in its order, followed by those identity fields that the form does not contain.
   * Empty after redaction.
   */
  fields: FieldAnswer[];

  booker: Booker;
  /** `null` for a partner's key that does not see the booking. */
  bookerType: BookerType | null;

  /** The price of the ticket before any discount. */
  originalTicketPrice: Price;

  incrementalStatus: IncrementalStatus;

  /**
   * The bib number.
   * @example 1042
   */
  bibNumber: string | null;

  bookingCodesUsed: BookingCodesUsed;

  /**
   * The link for members of the reserved entry group.
   * @format uri
   */
  reservedEntryUrl: string | null;

  partnerMarketingOptIns: PartnerMarketingOptIn[];

  /**
   * Labels that the organizer assigned.
   * @example ["first-timer"]
   */
  tags: string[];

  /** Whether personal data was deleted. */
  gdprRedacted: boolean;

  /** The status changes of the entry, oldest first. A cancelled entry has a detail with the status `CANCELLED`. */
  statusDetails: StatusDetail[];

  /**
   * Marketing parameters of the booking, as imported.
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
   * The local start time of the race; `null` until date and time are confirmed.
   * @format date-time
   */
  raceStartDate: string | null;

  /** The race's discipline. */
  sportId: SportDiscipline | null;

  /**
   * The distance of the race as text.
   * @example 21.1-KM
   */
  distanceId: string | null;

  /** The distance of the race; empty if it has none. */
  distances: RaceDistance[];

  /**
   * The name of the discipline.
   * @example Running
   */
  disciplineLabel: string | null;

  course: Course | null;

  eventLocation: EventLocation;

  /**
   * The number of entries that share a ticket: 1 for solo, more for teams and relays.
   * @integer
   * @minimum 1
   */
  competitorSize: number;

  /**
   * The code that members of the reserved entry group enter at checkout.
   * @example CHARITY-2026
   */
  reservedEntryGroupCode: string | null;

  /**
   * The reserved entry group of the entry.
   * @example Runners of the River Trust
   */
  reservedEntryGroupName: string | null;

  /**
   * The ids of the group's partner on other platforms, by platform; `null` without a partner.
   * @example {"ENTHUSE": "ENT-20417"}
   */
  reservedEntryPartnerExternalIds: Record<string, string> | null;

  /**
   * The partner that owns the reserved entry group.
   * @example River Trust
   */
  reservedEntryPartnerName: string | null;

  /**
   * With `extendMetadata=true`: the additional data of the import, unchanged. The platform adds `startline`: the
   * import job and row, `source` (the platform that the row names, or the name of the API key), the time of external
   * ids, and the times of the last race-day messages; and in `raceDayErrors` why the newest bib does not show.
   * @example {"shop": "Covent Garden", "startline": {"importJobId": "01990f3e-7a54-7c1b-9d0e-5b1f6a2c8e47",
   * "importRow": 17, "source": "Box office"}, "raceDayErrors": []}
   */
  metadata?: Record<string, unknown>;
}
