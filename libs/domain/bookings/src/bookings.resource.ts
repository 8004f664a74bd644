import {
  isVisiblePartner,
  metadataOfImport,
  sharesMetadata,
  textFilter,
  throughPartner,
} from '#domain/participants';
import type { Caller } from '#platform/access';
import { equals, type ListDeclaration, ofId, oneOf, priceAs, type Resource } from '#platform/queries';
import { Booking, BookingSummary } from './bookings.dto';

const SUMMARY = `
  t.id AS "id",
  t.external_booking_id AS "externalBookingId",
  t.source AS "source",
  t.status AS "status",
  t.event_id AS "eventId",
  t.event_occurrence_id AS "eventOccurrenceId",
  ${priceAs('total', 't.total_value', 't.currency_code')},
  t.created_at AS "createdAt",
  t.updated_at AS "updatedAt"`;

const idsOfEntries = (column: string, condition = '') => `array(
  SELECT e.${column} FROM start_list_entries e
  WHERE e.organization_id = t.organization_id AND e.booking_id = t.id ${condition}
  ORDER BY e.participant_index, e.id)`;

/** The metadata of the row, with its origin in `startline`. */
const metadata = (caller: Caller): string => `coalesce((
  SELECT t.metadata || jsonb_build_object('startline', ${metadataOfImport('e', caller)})
  FROM start_list_entries e
  WHERE e.organization_id = t.organization_id AND e.booking_id = t.id AND NOT e.gdpr_redacted
  ORDER BY ${sharesMetadata('e')} DESC, e.participant_index, e.id LIMIT 1), '{"startline": {}}')`;

export const BOOKING: Resource = {
  schema: Booking,
  from: 'bookings t',
  select: (values, _bind, caller) => `${SUMMARY},
    t.booker_first_name AS "booker.firstName",
    t.booker_last_name AS "booker.lastName",
    t.booker_email AS "booker.email",
    t.booker_phone AS "booker.phone",
    t.booker_type AS "bookerType",
    ${caller.partner ? `CASE WHEN ${isVisiblePartner('t.partner_id', 't')} THEN t.partner_id END` : 't.partner_id'} AS "partnerId",
    t.currency_code AS "currencyCode",
    ${idsOfEntries('participant_id', `AND e.approval_status = 'APPROVED'`)} AS "participantIds",
    ${idsOfEntries('id')} AS "applicationIds",
    (SELECT d.code FROM discount_codes d
      WHERE d.organization_id = t.organization_id AND d.id = t.discount_code_id) AS "discountCode",
    t.tracking AS "tracking",
    t.booked_at AS "bookedAt",
    t.cancelled_at AS "cancelledAt"
    ${values.extendMetadata === true ? `, ${metadata(caller)} AS "metadata"` : ''}`,
};

export const BOOKINGS: ListDeclaration = {
  name: 'bookings',
  schemaName: 'PagedBookingSummaries',
  of: { schema: BookingSummary, from: 'bookings t', select: SUMMARY, limits: throughPartner },
  order: { sql: 't.created_at', type: 'timestamptz' },
  times: { createdAt: 't.created_at', updatedAt: 't.updated_at' },
  filters: {
    eventOccurrenceId: ofId('event_occurrence_id', 'Only bookings of this event occurrence.'),
    status: equals('status', oneOf('Only bookings with this status.', ['CONFIRMED', 'CANCELLED'] as const)),
    externalBookingId: {
      parameter: textFilter(
        'Only bookings that were imported with this `externalBookingId`, cancelled ones included.',
      ),
      external: true,
      where: (value) => `t.external_booking_id = ${value}`,
    },
  },
};

/** Oldest first, so that the only booking that may not be cancelled is last. */
export const BOOKINGS_BY_EXTERNAL_ID: ListDeclaration = {
  name: 'bookingsByExternalId',
  schemaName: 'PagedBookingSummaries',
  of: { schema: BookingSummary, from: 'bookings t', select: SUMMARY },
  within: { column: 't.external_booking_id', parameter: 'externalBookingId' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};
