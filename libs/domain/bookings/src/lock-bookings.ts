import { type Booking, type Row, statement, typed } from '#platform/database';
import type { Organization } from '#platform/import-rows';

export type KnownBooking = Row<typeof LOCK>;

const BOOKING = `b.id, b.external_booking_id AS "externalBookingId", b.status, b.event_id AS "eventId",
  b.event_occurrence_id AS "eventOccurrenceId", b.currency_code AS "currencyCode"`;

const LOCK = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  columns: {
    id: 'uuid',
    externalBookingId: 'text?',
    status: typed<Booking['status']>('text'),
    eventId: 'uuid',
    eventOccurrenceId: 'uuid',
    currencyCode: 'text',
  },
  sql: `
    SELECT ${BOOKING} FROM bookings b WHERE b.organization_id = $1
    AND (b.id = ANY ($2) OR b.external_booking_id = ANY ($3)) ORDER BY b.id FOR UPDATE
  `,
});

/** Finds bookings by id or external id, and locks them in id order before anything of them is written. */
export async function lockBookings(
  { manager, organizationId }: Organization,
  names: Iterable<{ bookingId?: string | null; externalBookingId?: string | null }>,
): Promise<
  (name: { bookingId?: string | null; externalBookingId?: string | null }) => KnownBooking | undefined
> {
  const all = [...names];
  const rows = await LOCK.rows(manager, [
    organizationId,
    all.flatMap(({ bookingId }) => bookingId ?? []),
    all.flatMap(({ externalBookingId }) => externalBookingId ?? []),
  ]);
  const byOwnId = new Map(rows.map((row) => [row.id, row]));
  const byExternalId = new Map<string, KnownBooking>();
  for (const row of rows) {
    // A cancelled booking keeps its external id: prefer the booking that is not cancelled.
    const other = row.externalBookingId === null ? undefined : byExternalId.get(row.externalBookingId);
    if (row.externalBookingId !== null && other?.status !== 'CONFIRMED')
      byExternalId.set(row.externalBookingId, row);
  }
  return ({ bookingId, externalBookingId }) =>
    bookingId ? byOwnId.get(bookingId) : byExternalId.get(externalBookingId ?? '');
}

const WRITE_TOTALS = statement({
  parameters: ['uuid', 'uuid[]', 'boolean'],
  sql: `
    UPDATE bookings b SET total_value = s.total, currency_code = coalesce(s.currency, b.currency_code)
    FROM (SELECT given.booking_id, coalesce(sum(l.amount_value) FILTER (WHERE l.counts), 0) AS total,
        coalesce(min(l.currency_code) FILTER (WHERE l.currency_code <> 'ZERO'), CASE WHEN $3 THEN 'ZERO' END) AS currency
      FROM unnest($2::uuid[]) given (booking_id)
      LEFT JOIN LATERAL (SELECT i.amount_value, i.currency_code, NOT EXISTS (SELECT FROM add_on_allocations a
          WHERE a.organization_id = i.organization_id AND a.booking_id = i.booking_id AND a.purchase_line_item_id = i.id
            AND (a.financial_status <> 'PAID' OR a.operational_status = 'CANCELLED')) AS counts
        FROM line_items i WHERE i.organization_id = $1 AND i.booking_id = given.booking_id) l ON true
      GROUP BY given.booking_id) s
    WHERE b.organization_id = $1 AND b.id = s.booking_id AND (b.total_value <> s.total OR b.currency_code <> s.currency)
  `,
});

/**
 * The total of a booking is the sum of its paid line items; add-ons that are unpaid, refunded or cancelled do not
 * count. A free booking gets the currency of its amounts, whether they are paid or not.
 *
 * @param isUndo whether a booking without amounts is free again. Not after an import whose rows moved them elsewhere: which rows the
 *   others of the booking then agree with would depend on how the import is cut into chunks.
 */
export const sumLineItems = async (
  { manager, organizationId }: Organization,
  bookingIds: Iterable<string>,
  isUndo = false,
) => {
  await WRITE_TOTALS.run(manager, [organizationId, [...new Set(bookingIds)], isUndo]);
};
