import { distance, location } from '#libs/events';
import { instant, price, type Values } from '#libs/resources';
import { DISCIPLINE_LABELS } from './discipline-labels';

/** Whether the request's `features` contain it. */
export const hasFeature = (values: Values, feature: string): boolean =>
  (values.features as ReadonlySet<string> | undefined)?.has(feature) === true;

/**
 * A row that entry `t` refers to. The LIMIT prevents the planner from merging it into a join, so that it is looked up for
 * the entries of the page only, and cached (Memoize) from one entry to the next, including its JSON.
 */
export const part = (alias: string, columns: string, from: string, where: string): string => `
  LEFT JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE ${where} LIMIT 1) ${alias} ON true`;

const named = (row: string, id: string): string =>
  `${row}.organization_id = t.organization_id AND ${row}.id = ${id}`;
const joined = (table: string, row: string, to: string, id: string): string =>
  `LEFT JOIN ${table} ${row} ON ${row}.organization_id = ${to}.organization_id AND ${row}.id = ${id}`;

const DISCIPLINE_LABEL = `CASE r.discipline ${Object.entries(DISCIPLINE_LABELS)
  .map(([discipline, label]) => `WHEN '${discipline}' THEN '${label}'`)
  .join(' ')} END`;

const TICKET = part(
  'ticket',
  'k.title, k.unit_size, k.asks_donation',
  'tickets k',
  named('k', 't.ticket_id'),
);

const RACE = part(
  'race',
  `r.title, r.discipline, ${DISCIPLINE_LABEL} AS discipline_label,
    trim_scale(r.distance_value) || '-' || r.distance_unit AS distance_id,
    CASE WHEN r.distance_value IS NULL AND r.distance_unit IS NULL THEN '[]'::json
      ELSE json_build_array(${distance('r')}) END AS distances,
    ${instant(`((r.start_date + coalesce(r.start_time, '00:00')) AT TIME ZONE o.time_zone)`)} AS starts_at,
    CASE WHEN r.course_id IS NOT NULL
      THEN json_build_object('id', r.course_id, 'title', r.course_title, 'distance', ${distance('r')}) END AS course`,
  `races r ${joined('event_occurrences', 'o', 'r', 'r.event_occurrence_id')}`,
  named('r', 't.race_id'),
);

const EVENT = part(
  'event',
  `e.title, ${location('o')} AS location`,
  `event_occurrences o ${joined('events', 'e', 'o', 'o.event_id')}`,
  named('o', 't.event_occurrence_id'),
);

const BOOKED = part(
  'booked',
  `b.transaction_id, b.external_booking_id, b.source, b.booked_at, b.booker_type, b.tracking, b.referral_codes, b.discount_code_id,
    b.booker_first_name, b.booker_last_name, b.booker_email, b.booker_phone`,
  'bookings b',
  named('b', 't.booking_id'),
);

const DISCOUNT = part('discount', 'd.code', 'discount_codes d', named('d', 'booked.discount_code_id'));

const RESERVED = part(
  'reserved',
  `g.code, g.name, g.url, p.name AS partner_name,
    CASE WHEN p.id IS NOT NULL THEN (
      SELECT coalesce(json_object_agg(x.type, x.external_id ORDER BY x.type), '{}') FROM partner_external_ids x
      WHERE x.organization_id = p.organization_id AND x.partner_id = p.id) END AS partner_external_ids`,
  `reserved_entry_groups g ${joined('partners', 'p', 'g', 'g.partner_id')}`,
  named('g', 't.reserved_entry_group_id'),
);

/** Without and with the capacity. */
const WAVE = (capacity: boolean) =>
  part(
    'wave',
    `json_build_array(json_build_object('id', w.id, 'title', w.title,
      'startDateTime', ${instant('w.start_date_time')}${capacity ? `, 'capacity', w.capacity` : ''})) AS waves`,
    'waves w',
    named('w', 't.wave_id'),
  );

export const entryJoins = (values: Values): string =>
  [TICKET, RACE, EVENT, BOOKED, DISCOUNT, RESERVED, WAVE(hasFeature(values, 'waves'))].join('');

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
    ${instant('t.created_at')} AS "createdAt",
    ${instant('t.updated_at')} AS "updatedAt",
    coalesce(wave.waves, '[]') AS "waves",
    t.fields AS "fields",
    CASE WHEN t.gdpr_redacted THEN '{"firstName":null,"lastName":null,"email":null,"phone":null}'::json
      ELSE json_build_object('firstName', booked.booker_first_name, 'lastName', booked.booker_last_name,
        'email', booked.booker_email, 'phone', booked.booker_phone) END AS "booker",
    booked.booker_type AS "bookerType",
    ${price('t.original_price_value', 't.original_price_currency')} AS "originalTicketPrice",
    CASE WHEN t.incremental THEN 'INCREMENTAL' ELSE 'NON_INCREMENTAL' END AS "incrementalStatus",
    t.bib_number AS "bibNumber",
    CASE WHEN discount.code IS NULL AND reserved.code IS NULL AND booked.referral_codes = '{}'
      THEN '{"discountCodes":[],"referralCodes":[],"reservedEntryCodes":[]}'::json
      ELSE json_build_object(
        'discountCodes', array_remove(ARRAY[discount.code], NULL),
        'referralCodes', booked.referral_codes,
        'reservedEntryCodes', array_remove(ARRAY[reserved.code], NULL)) END AS "bookingCodesUsed",
    reserved.url AS "reservedEntryUrl",
    t.partner_marketing_opt_ins AS "partnerMarketingOptIns",
    t.tags AS "tags",
    t.gdpr_redacted AS "gdprRedacted",
    t.status_details AS "statusDetails",
    CASE WHEN t.gdpr_redacted THEN '{}' ELSE booked.tracking END AS "tracking",
    event.title AS "eventName",
    race.title AS "raceName",
    race.starts_at AS "raceStartDate",
    race.discipline AS "sportId",
    race.distance_id AS "distanceId",
    race.distances AS "distances",
    race.discipline_label AS "disciplineLabel",
    race.course AS "course",
    event.location AS "eventLocation",
    ticket.unit_size AS "competitorSize",
    reserved.code AS "reservedEntryGroupCode",
    reserved.name AS "reservedEntryGroupName",
    reserved.partner_external_ids AS "reservedEntryPartnerExternalIds",
    reserved.partner_name AS "reservedEntryPartnerName"
    ${values.extendMetadata === true ? `, ${METADATA} AS "metadata"` : ''}`;
