import { DISCIPLINE_LABELS, distance } from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { type Bind, instant, priceAs, type Values } from '#platform/queries';
import { CLEARED, OF_BOOKING } from './entry-metadata';

/**
 * The condition for the entries and bookings of a partner: the database shows it no others, and this names the column by whose index it finds them in the order of
 * a list.
 */
export const throughPartner = ({ partner }: Caller, bind: Bind): string | undefined =>
  partner
    ? `t.${partner.parentId ? 'via_partner_id' : 'via_top_partner_id'} = ${bind(partner.id)}::uuid`
    : undefined;

/** Whether the request's `features` contain it. */
export const hasFeature = (values: Values, feature: string): boolean =>
  (values.features as ReadonlySet<string> | undefined)?.has(feature) === true;

/** A join of the row with the id, in the organization of `to`. */
export const joined = (table: string, row: string, id: string, to = 't'): string => `
  LEFT JOIN ${table} ${row} ON ${row}.organization_id = ${to}.organization_id AND ${row}.id = ${id}`;

/** The text of an entry's answer. @param key an SQL expression @param entry its alias */
export const answerTo = (key: string, entry = 't'): string =>
  `(SELECT field->>'value' FROM json_array_elements(${entry}.fields) field WHERE field->>'key' = ${key} LIMIT 1)`;

/** The bib of entry `t`, as it was first written. */
export const SHOWN_BIB = 'CASE WHEN t.bib_number IS NOT NULL THEN coalesce(t.bib_written, t.bib_number) END';

/** Who entry `t` is of, and for what, as staff see it; with `STAFF_JOINS`. */
export const STAFF_COLUMNS = `
    ${answerTo("'firstName'")} AS "firstName",
    ${answerTo("'lastName'")} AS "lastName",
    ${SHOWN_BIB} AS "bibNumber",
    t.event_occurrence_id AS "eventOccurrenceId",
    occurrence.title AS "eventTitle",
    race.title AS "raceTitle",
    ticket.title AS "ticketTitle",
    occurrence.time_zone AS "timeZone",
    t.cancelled_at IS NOT NULL AS "cancelled",
    t.gdpr_redacted AS "gdprRedacted"`;

export const STAFF_JOINS = [
  joined('tickets', 'ticket', 't.ticket_id'),
  joined('races', 'race', 't.race_id'),
  joined('event_occurrences', 'occurrence', 't.event_occurrence_id'),
].join('');

/** What entry `t` refers to. */
export const ENTRY_JOINS = [
  STAFF_JOINS,
  joined('events', 'event', 'occurrence.event_id', 'occurrence'),
  joined('bookings', 'booked', 't.booking_id'),
  joined('discount_codes', 'discount', 'booked.discount_code_id', 'booked'),
  joined('reserved_entry_groups', 'reserved', 't.reserved_entry_group_id'),
  joined('partners', 'partner', 'reserved.partner_id', 'reserved'),
  joined('waves', 'wave', 't.wave_id'),
].join('');

/** Codes of the reasons why race-day messages do not show. A cancelled participant claims no bib. */
export const RACE_DAY_ERRORS = `CASE WHEN t.bib_claim IS DISTINCT FROM t.bib_number AND t.bib_claim IS NOT NULL
      THEN '["BIB_NUMBER_TAKEN"]'::jsonb ELSE '[]' END`;

/** The metadata of the import row, without `startline`'s own properties. @param booking the entry's booking */
const metadataOfRow = (entry: string, booking: string): string =>
  `CASE WHEN ${sharesMetadata(entry)} THEN coalesce(${booking}.metadata, '{}') || ${entry}.metadata ELSE ${entry}.metadata END`;
const ofImport = (entry: string): string =>
  `coalesce(${entry}.metadata->'startline', '{}') - '{${OF_BOOKING},${CLEARED}}'::text[]`;

/** Imports are named to whoever can follow them: to a partner, those of its own keys and of its sub-partners. */
export const metadataOfImport = (entry: string, { partner }: Pick<Caller, 'partner'>): string =>
  partner
    ? `CASE WHEN ${isVisiblePartner(`${entry}.assigned_by`, entry)} THEN ${ofImport(entry)} ELSE '{}' END`
    : ofImport(entry);

/** For a partner, whether it sees the partner with the id. @param row its alias, for the organization */
export const isVisiblePartner = (id: string, row: string): string =>
  `${id} IN (SELECT p.id FROM partners p WHERE p.organization_id = ${row}.organization_id)`;

/** Whether the entry shows the metadata of its booking. */
export const sharesMetadata = (entry: string): string =>
  `(${entry}.metadata #> '{startline,${OF_BOOKING}}' IS NOT NULL)`;

const DISCIPLINE_LABEL = `CASE race.discipline ${Object.entries(DISCIPLINE_LABELS)
  .map(([discipline, label]) => `WHEN '${discipline}' THEN '${label}'`)
  .join(' ')} END`;

const PARTNER_EXTERNAL_IDS = `CASE WHEN partner.id IS NOT NULL THEN (
      SELECT coalesce(json_object_agg(x.type, x.external_id ORDER BY x.type), '{}') FROM partner_external_ids x
      WHERE x.organization_id = partner.organization_id AND x.partner_id = partner.id) END`;

/** The metadata of the import row, with data of the platform about the entry in `startline`. */
const metadata = (caller: Caller): string => `${metadataOfRow('t', 'booked')}
    || jsonb_build_object('startline', ${metadataOfImport('t', caller)}
      || jsonb_strip_nulls(jsonb_build_object(
        'bookedAt', ${instant('booked.booked_at')},
        'externalParticipantId', t.external_participant_id,
        'externalAssignmentId', t.external_assignment_id,
        'bibChangedAt', ${instant('t.bib_changed_at')},
        'shippingChangedAt', ${instant('t.shipping_changed_at')})))`;

/** Without the partners that the caller does not see. */
const OPT_INS_OF_PARTNER = `CASE WHEN t.partner_marketing_opt_ins = '[]' THEN '[]' ELSE (
      SELECT coalesce(jsonb_agg(choice.made ORDER BY choice.place), '[]')
      FROM jsonb_array_elements(t.partner_marketing_opt_ins) WITH ORDINALITY choice (made, place)
      WHERE ${isVisiblePartner(`(choice.made->>'partnerId')::uuid`, 't')}) END`;

const booker = (column: string, property: string): string =>
  `CASE WHEN NOT t.gdpr_redacted THEN booked.booker_${column} END AS "booker.${property}"`;

const codes = (code: string): string => `CASE WHEN ${code} IS NULL THEN '{}' ELSE ARRAY[${code}] END`;

/**
 * The select list of an EntryRecord, without its id. A redacted entry does not show the booker, who may still be stored for
 * other entries of the booking. A partner does not see a booking with entries of others.
 */
export const entryRecord = (values: Values, caller: Caller): string => `
    t.participant_index AS "participantIndex",
    t.booking_id AS "bookingId",
    booked.external_booking_id AS "externalBookingId",
    t.external_participant_id AS "externalParticipantId",
    coalesce(booked.transaction_id, t.booking_id) AS "transactionId",
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
    ${SHOWN_BIB} AS "bibNumber",
    ${codes('discount.code')} AS "bookingCodesUsed.discountCodes",
    coalesce(booked.referral_codes, '{}') AS "bookingCodesUsed.referralCodes",
    ${codes('reserved.code')} AS "bookingCodesUsed.reservedEntryCodes",
    reserved.url AS "reservedEntryUrl",
    ${caller.partner ? OPT_INS_OF_PARTNER : 't.partner_marketing_opt_ins'} AS "partnerMarketingOptIns",
    t.tags AS "tags",
    t.gdpr_redacted AS "gdprRedacted",
    t.status_details AS "statusDetails",
    CASE WHEN t.gdpr_redacted THEN '{}' ELSE coalesce(booked.tracking, '{}') END AS "tracking",
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
    ${values.extendMetadata === true ? `, ${metadata(caller)} AS "metadata"` : ''}`;
