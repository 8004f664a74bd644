import type { EntityManager } from 'typeorm';
import type { ImportContext } from './import-handler';

type Organization = Pick<ImportContext, 'manager' | 'organizationId'>;

/** Rows by id; ids that are not the organization's are simply not in it. */
async function byId<Row extends { id: string }>(
  { manager, organizationId }: { manager: EntityManager; organizationId: string },
  sql: string,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Row>> {
  const wanted = [...new Set([...ids].filter((id): id is string => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const rows: Row[] = await manager.query(sql, [organizationId, wanted]);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface KnownTicket {
  id: string;
  eventOccurrenceId: string;
  eventId: string;
  raceId: string;
  title: string;
  priceValue: number;
  currencyCode: string;
  /** Entries on one unit: 1 for solo. */
  unitSize: number;
  asksDonation: boolean;
  /** The questions of its forms, in order. */
  fieldIds: string[];
}

export const ticketsById = (organization: Organization, ids: Iterable<string>) =>
  byId<KnownTicket>(
    organization,
    `SELECT t.id, t.event_occurrence_id AS "eventOccurrenceId", t.event_id AS "eventId", t.race_id AS "raceId", t.title,
       t.price_value::float8 AS "priceValue", t.currency_code AS "currencyCode", t.unit_size AS "unitSize", t.asks_donation AS "asksDonation",
       array(SELECT e.field_id FROM ticket_booking_forms f
         JOIN booking_form_entries e ON e.organization_id = f.organization_id AND e.booking_form_id = f.booking_form_id
         WHERE f.organization_id = t.organization_id AND f.ticket_id = t.id ORDER BY f.booking_form_id, e.position) AS "fieldIds"
     FROM tickets t WHERE t.organization_id = $1 AND t.id = ANY ($2) AND t.deleted_at IS NULL`,
    ids,
  );

export const occurrencesById = (organization: Organization, ids: Iterable<string>) =>
  byId<{ id: string; eventId: string }>(
    organization,
    `SELECT id, event_id AS "eventId" FROM event_occurrences WHERE organization_id = $1 AND id = ANY ($2)`,
    ids,
  );

export const wavesById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId<{ id: string; raceId: string }>(
    organization,
    `SELECT id, race_id AS "raceId" FROM waves WHERE organization_id = $1 AND id = ANY ($2)`,
    ids,
  );

export const partnersById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId<{ id: string }>(
    organization,
    'SELECT id FROM partners WHERE organization_id = $1 AND id = ANY ($2)',
    ids,
  );

export const eventsById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId<{ id: string }>(
    organization,
    'SELECT id FROM events WHERE organization_id = $1 AND id = ANY ($2)',
    ids,
  );

export interface KnownBooking {
  id: string;
  externalBookingId: string | null;
  status: 'CONFIRMED' | 'CANCELLED';
  eventId: string;
  eventOccurrenceId: string;
  currencyCode: string;
}

const BOOKING = `b.id, b.external_booking_id AS "externalBookingId", b.status, b.event_id AS "eventId",
  b.event_occurrence_id AS "eventOccurrenceId", b.currency_code AS "currencyCode"`;

/** Finds bookings by either name, and locks them in id order: what is written below them follows that lock. */
export async function lockBookings(
  { manager, organizationId }: Organization,
  names: Iterable<{ bookingId?: string | null; externalBookingId?: string | null }>,
): Promise<
  (name: { bookingId?: string | null; externalBookingId?: string | null }) => KnownBooking | undefined
> {
  const all = [...names];
  const rows: KnownBooking[] = await manager.query(
    `SELECT ${BOOKING} FROM bookings b WHERE b.organization_id = $1
       AND (b.id = ANY ($2) OR b.external_booking_id = ANY ($3)) ORDER BY b.id FOR UPDATE`,
    [
      organizationId,
      all.flatMap(({ bookingId }) => bookingId ?? []),
      all.flatMap(({ externalBookingId }) => externalBookingId ?? []),
    ],
  );
  const byOwnId = new Map(rows.map((row) => [row.id, row]));
  const byExternalId = new Map<string, KnownBooking>();
  for (const row of rows) {
    // A cancelled booking keeps showing its external id; the living one, if there is one, is meant.
    const other = row.externalBookingId === null ? undefined : byExternalId.get(row.externalBookingId);
    if (row.externalBookingId !== null && other?.status !== 'CONFIRMED')
      byExternalId.set(row.externalBookingId, row);
  }
  return ({ bookingId, externalBookingId }) =>
    bookingId ? byOwnId.get(bookingId) : byExternalId.get(externalBookingId ?? '');
}

/** What was read before the locks is no longer so: the same rows again will see how it is now. */
class ChangedMeanwhile extends Error {
  readonly code = '40001';
}

/**
 * Reads again what told which bookings to lock: while we waited, another job may have moved it elsewhere.
 *
 * @throws ChangedMeanwhile
 */
export async function unchanged<Row>(before: Row[], read: () => Promise<Row[]>): Promise<void> {
  if (JSON.stringify(before) !== JSON.stringify(await read())) throw new ChangedMeanwhile();
}

/** A booking's total is the sum of what is paid: add-ons that are unpaid, refunded or cancelled don't count. */
export const sumLineItems = async (
  { manager, organizationId }: Organization,
  bookingIds: Iterable<string>,
) => {
  await manager.query(
    `UPDATE bookings b SET total_value = s.total,
       currency_code = CASE WHEN b.currency_code = 'ZERO' THEN coalesce(s.currency, 'ZERO') ELSE b.currency_code END
     FROM (SELECT given.booking_id, coalesce(sum(l.amount_value), 0) AS total,
         min(l.currency_code) FILTER (WHERE l.currency_code <> 'ZERO') AS currency
       FROM unnest($2::uuid[]) given (booking_id)
       LEFT JOIN line_items l ON l.organization_id = $1 AND l.booking_id = given.booking_id
         AND NOT EXISTS (SELECT FROM add_on_allocations a
           WHERE a.organization_id = l.organization_id AND a.booking_id = l.booking_id AND a.purchase_line_item_id = l.id
             AND (a.financial_status <> 'PAID' OR a.operational_status = 'CANCELLED'))
       GROUP BY given.booking_id) s
     WHERE b.organization_id = $1 AND b.id = s.booking_id AND (b.total_value <> s.total OR b.currency_code = 'ZERO')`,
    [organizationId, [...new Set(bookingIds)]],
  );
};
