import {
  type Course,
  distance,
  type EventLocation,
  type RaceDistance,
  type SportDiscipline,
} from '#libs/events';
import { instant, type Price, priceAs, type Values } from '#libs/resources';
import type { Booker, BookerType } from './booker.dto';
import { DISCIPLINE_LABELS } from './discipline-labels';
import { hasFeature, metadataOfImport, metadataOfRow, RACE_DAY_ERRORS } from './entry.sql';
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
  bookerType: BookerType;

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

const DISCIPLINE_LABEL = `CASE race.discipline ${Object.entries(DISCIPLINE_LABELS)
  .map(([discipline, label]) => `WHEN '${discipline}' THEN '${label}'`)
  .join(' ')} END`;

const PARTNER_EXTERNAL_IDS = `CASE WHEN partner.id IS NOT NULL THEN (
      SELECT coalesce(json_object_agg(x.type, x.external_id ORDER BY x.type), '{}') FROM partner_external_ids x
      WHERE x.organization_id = partner.organization_id AND x.partner_id = partner.id) END`;

/** The metadata of the import row, with data of the platform about the entry in `startline`. */
const METADATA = `${metadataOfRow('t', 'booked')}
    || jsonb_build_object('startline', ${metadataOfImport('t')}
      || jsonb_strip_nulls(jsonb_build_object(
        'bookedAt', ${instant('booked.booked_at')},
        'externalParticipantId', t.external_participant_id,
        'externalAssignmentId', t.external_assignment_id,
        'bibChangedAt', ${instant('t.bib_changed_at')},
        'shippingChangedAt', ${instant('t.shipping_changed_at')})))
    || jsonb_build_object('raceDayErrors', ${RACE_DAY_ERRORS})`;

const booker = (column: string, property: string): string =>
  `CASE WHEN NOT t.gdpr_redacted THEN booked.booker_${column} END AS "booker.${property}"`;

const codes = (code: string): string => `CASE WHEN ${code} IS NULL THEN '{}' ELSE ARRAY[${code}] END`;

/**
 * The select list of an EntryRecord, without its id. A redacted entry does not show the booker, who may still be stored for
 * other entries of the booking.
 */
export const entryRecord = (values: Values): string => `
    t.participant_index AS "participantIndex",
    t.booking_id AS "bookingId",
    booked.external_booking_id AS "externalBookingId",
    t.external_participant_id AS "externalParticipantId",
    booked.transaction_id AS "transactionId",
    t.event_id AS "eventId",
    t.event_occurrence_id AS "eventOccurrenceId",
    t.race_id AS "raceId",
    t.ticket_id AS "ticketId",
    ticket.title AS "ticketTitle",
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt",
    wave.id AS "waves[].id",
    wave.title AS "waves[].title",
    wave.start_date_time AS "waves[].startDateTime",
    ${hasFeature(values, 'waves') ? 'wave.capacity AS "waves[].capacity",' : ''}
    t.fields AS "fields",
    ${booker('first_name', 'firstName')},
    ${booker('last_name', 'lastName')},
    ${booker('email', 'email')},
    ${booker('phone', 'phone')},
    booked.booker_type AS "bookerType",
    ${priceAs('originalTicketPrice', 't.original_price_value', 't.original_price_currency')},
    CASE WHEN t.incremental THEN 'INCREMENTAL' ELSE 'NON_INCREMENTAL' END AS "incrementalStatus",
    t.bib_number AS "bibNumber",
    ${codes('discount.code')} AS "bookingCodesUsed.discountCodes",
    booked.referral_codes AS "bookingCodesUsed.referralCodes",
    ${codes('reserved.code')} AS "bookingCodesUsed.reservedEntryCodes",
    reserved.url AS "reservedEntryUrl",
    t.partner_marketing_opt_ins AS "partnerMarketingOptIns",
    t.tags AS "tags",
    t.gdpr_redacted AS "gdprRedacted",
    t.status_details AS "statusDetails",
    CASE WHEN t.gdpr_redacted THEN '{}' ELSE booked.tracking END AS "tracking",
    event.title AS "eventName",
    race.title AS "raceName",
    (race.start_date + race.start_time) AT TIME ZONE occurrence.time_zone AS "raceStartDate",
    race.discipline AS "sportId",
    trim_scale(race.distance_value) || '-' || race.distance_unit AS "distanceId",
    trim_scale(race.distance_value) AS "distances[].value?",
    race.distance_unit AS "distances[].unit?",
    ${DISCIPLINE_LABEL} AS "disciplineLabel",
    race.course_id AS "course?.id",
    race.course_title AS "course?.title",
    CASE WHEN race.course_id IS NOT NULL THEN ${distance('race')} END AS "course?.distance",
    CASE WHEN occurrence.longitude IS NOT NULL THEN occurrence.latitude END AS "eventLocation.coordinates??.latitude",
    occurrence.longitude AS "eventLocation.coordinates??.longitude",
    jsonb_strip_nulls(occurrence.address) AS "eventLocation.address",
    ticket.unit_size AS "competitorSize",
    reserved.code AS "reservedEntryGroupCode",
    reserved.name AS "reservedEntryGroupName",
    ${PARTNER_EXTERNAL_IDS} AS "reservedEntryPartnerExternalIds",
    partner.name AS "reservedEntryPartnerName"
    ${values.extendMetadata === true ? `, ${METADATA} AS "metadata"` : ''}`;
