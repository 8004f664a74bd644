import { BOOKING_OF_ENTRIES, bookingsOfEntries } from '#domain/participants';
import { type Row, statement } from '#platform/database';
import type { Organization } from '#platform/import-rows';
import { instant } from '#platform/queries';

const BOOKING = {
  ...BOOKING_OF_ENTRIES,
  created_at: 'text',
  source: 'text',
  transaction_id: 'uuid',
  booked_at: 'text?',
} as const;

/** In the order of ids, as text: to return them in the order of the primary key, PostgreSQL could read the whole organization. */
const byExternalId = (lock = '') =>
  bookingsOfEntries(`b.external_booking_id = ANY ($2) ORDER BY b.id::text${lock}`, BOOKING, {
    created_at: instant('b.created_at'),
    booked_at: instant('b.booked_at'),
  });
const BY_EXTERNAL_ID = statement({
  parameters: ['uuid', 'text[]'],
  columns: BOOKING,
  sql: byExternalId(),
});
const LOCK_BOOKINGS = statement({
  parameters: ['uuid', 'text[]'],
  columns: BOOKING,
  sql: byExternalId(' FOR UPDATE OF b'),
});

/** A stored booking that is not cancelled, under the names of its columns. */
export type StoredBooking = Row<typeof BY_EXTERNAL_ID>;

/**
 * The bookings with these external ids that are not cancelled, by external id. Unless `lock` is false, no one else can change
 * them until the transaction ends.
 */
export async function storedBookings(
  { manager, organizationId }: Organization,
  externalIds: string[],
  { lock = true } = {},
): Promise<Map<string, StoredBooking>> {
  if (externalIds.length === 0) return new Map();
  const read = lock ? LOCK_BOOKINGS : BY_EXTERNAL_ID;
  const rows = await read.rows(manager, [organizationId, externalIds]);
  return new Map(rows.map((row) => [row.external_booking_id, row]));
}
