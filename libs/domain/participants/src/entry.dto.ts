import { type Course, type EventLocation, type RaceDistance, type SportDiscipline } from '#domain/catalogue';
import type { Price } from '#platform/queries';
import { DateTime, Id, Int, Text, Uri, Value } from '#platform/validation';
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
  @Id() id: string;

  /** The position within the booking, from 0. */
  @Int({ min: 0 }) participantIndex: number;
  @Id() bookingId: string;

  /** The booking's id in the system that it was imported from. */
  @Text({ example: 'order-1815' }) externalBookingId: string | null;

  /** The participant's id in the system that the entry was imported from. */
  @Text({ example: 'runner-42' }) externalParticipantId: string | null;

  /** The checkout. All bookings of one checkout have the same id. */
  @Id() transactionId: string;
  @Id() eventId: string;
  @Id() eventOccurrenceId: string;
  @Id() raceId: string;
  @Id() ticketId: string;

  /** The ticket's title. */
  @Text({ example: '10K early bird' }) ticketTitle: string;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;

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

  /** The bib number. */
  @Text({ example: '1042' }) bibNumber: string | null;
  bookingCodesUsed: BookingCodesUsed;

  /** The link for members of the reserved entry group. */
  @Uri() reservedEntryUrl: string | null;

  /** The marketing of partners that the participant opted in to. */
  partnerMarketingOptIns: PartnerMarketingOptIn[];

  /** Labels that the organizer assigned. */
  @Text({ example: ['first-timer'] }) tags: string[];

  /** Whether personal data was deleted. */
  gdprRedacted: boolean;

  /** The status changes of the entry, oldest first. A cancelled entry has a detail with the status `CANCELLED`. */
  statusDetails: StatusDetail[];

  /** Marketing parameters of the booking, as imported. */
  @Value({ example: { source: 'newsletter', medium: 'email', campaign: 'spring' } })
  tracking: Record<string, unknown>;

  /** The event's title. */
  @Text({ example: 'City Marathon' }) eventName: string;

  /** The race's title. */
  @Text({ example: 'Half marathon' }) raceName: string;

  /** The local start time of the race; `null` until date and time are confirmed. */
  @DateTime() raceStartDate: string | null;

  /** The race's discipline. */
  sportId: SportDiscipline | null;

  /** The distance of the race as text. */
  @Text({ example: '21.1-KM' }) distanceId: string | null;

  /** The distance of the race; empty if it has none. */
  distances: RaceDistance[];

  /** The name of the discipline. */
  @Text({ example: 'Running' }) disciplineLabel: string | null;
  course: Course | null;
  eventLocation: EventLocation;

  /** The number of entries that share a ticket: 1 for solo, more for teams and relays. */
  @Int({ min: 1 }) competitorSize: number;

  /** The code that members of the reserved entry group enter at checkout. */
  @Text({ example: 'CHARITY-2026' }) reservedEntryGroupCode: string | null;

  /** The reserved entry group of the entry. */
  @Text({ example: 'Runners of the River Trust' }) reservedEntryGroupName: string | null;

  /** The ids of the group's partner on other platforms, by platform; `null` without a partner. */
  @Value({ example: { ENTHUSE: 'ENT-20417' } })
  reservedEntryPartnerExternalIds: Record<string, string> | null;

  /** The partner that owns the reserved entry group. */
  @Text({ example: 'River Trust' }) reservedEntryPartnerName: string | null;

  /**
   * With `extendMetadata=true`: the additional data of the import, unchanged. The platform adds `startline`: the
   * import job and row, `source` (the platform that the row names, or the name of the API key), the external ids,
   * and the times of the last race-day messages.
   */
  @Value({
    example: {
      shop: 'Covent Garden',
      startline: { importJobId: '01990f3e-7a54-7c1b-9d0e-5b1f6a2c8e47', importRow: 17, source: 'Box office' },
    },
  })
  metadata?: Record<string, unknown>;
}
