import { distance } from '#libs/events';
import { instant, priceAs, type Values } from '#libs/resources';
import { DISCIPLINE_LABELS } from './discipline-labels';

/** Whether the request's `features` contain it. */
export const hasFeature = (values: Values, feature: string): boolean =>
  (values.features as ReadonlySet<string> | undefined)?.has(feature) === true;

/** A join of the row with the id, in the organization of `to`. */
export const joined = (table: string, row: string, id: string, to = 't'): string => `
  LEFT JOIN ${table} ${row} ON ${row}.organization_id = ${to}.organization_id AND ${row}.id = ${id}`;

/** What entry `t` refers to. */
export const ENTRY_JOINS = [
  joined('tickets', 'ticket', 't.ticket_id'),
  joined('races', 'race', 't.race_id'),
  joined('event_occurrences', 'occurrence', 't.event_occurrence_id'),
  joined('events', 'event', 'occurrence.event_id', 'occurrence'),
  joined('bookings', 'booked', 't.booking_id'),
  joined('discount_codes', 'discount', 'booked.discount_code_id', 'booked'),
  joined('reserved_entry_groups', 'reserved', 't.reserved_entry_group_id'),
  joined('partners', 'partner', 'reserved.partner_id', 'reserved'),
  joined('waves', 'wave', 't.wave_id'),
].join('');

const DISCIPLINE_LABEL = `CASE race.discipline ${Object.entries(DISCIPLINE_LABELS)
  .map(([discipline, label]) => `WHEN '${discipline}' THEN '${label}'`)
  .join(' ')} END`;

const PARTNER_EXTERNAL_IDS = `CASE WHEN partner.id IS NOT NULL THEN (
      SELECT coalesce(json_object_agg(x.type, x.external_id ORDER BY x.type), '{}') FROM partner_external_ids x
      WHERE x.organization_id = partner.organization_id AND x.partner_id = partner.id) END`;

/** Codes of the reasons why race-day messages do not show. A cancelled participant claims no bib. */
export const RACE_DAY_ERRORS = `CASE WHEN t.bib_claim IS DISTINCT FROM t.bib_number AND t.bib_claim IS NOT NULL
      THEN '["BIB_NUMBER_TAKEN"]'::jsonb ELSE '[]' END`;

/** The metadata that the previous release added. */
const FORMER = `'{importJobId,importRow,bookedAt}'::text[]`;

const ofRow = (entry: string): string =>
  `CASE WHEN ${entry}.metadata ? 'startline' OR NOT ${entry}.metadata ? 'importJobId' THEN ${entry}.metadata
      ELSE ${entry}.metadata - ${FORMER} END`;
const ofImport = (entry: string): string =>
  `coalesce(${entry}.metadata->'startline', CASE WHEN ${entry}.metadata ? 'importJobId'
        THEN jsonb_build_object('importJobId', ${entry}.metadata->'importJobId', 'importRow', ${entry}.metadata->'importRow') END, '{}')`;

/** The metadata of the entry's import row, with the origin of the row in `startline`. */
export const importedMetadata = (entry: string): string =>
  `${ofRow(entry)} || jsonb_build_object('startline', ${ofImport(entry)})`;

/** The same, with additional data of the platform about the entry in `startline`. */
const METADATA = `${ofRow('t')}
    || jsonb_build_object('startline', ${ofImport('t')}
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
    (race.start_date + coalesce(race.start_time, '00:00')) AT TIME ZONE occurrence.time_zone AS "raceStartDate",
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
