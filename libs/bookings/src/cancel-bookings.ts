import type { EntityManager } from 'typeorm';
import { type Booking, statement, typed } from '#libs/database';
import { lockRaceDay } from '#libs/race-day';
import { freeBibs, holdBibs } from './free-bibs';

/** `MISSING`: the organization has no such booking. `REFUSED`: its source is none of those that may be cancelled. */
export type CancelOutcome = 'CANCELLED' | 'ALREADY_CANCELLED' | 'REFUSED' | 'MISSING';

export interface Cancellation {
  organizationId: string;
  bookingIds: readonly string[];
  /** Shown in the entries' `statusDetails`. */
  reason: string;
  /** Bookings with another source are refused. Absent: of any source. */
  sources?: readonly Booking['source'][];
}

const LOCK_BOOKINGS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    source: typed<Booking['source']>('text'),
    status: typed<Booking['status']>('text'),
  },
  sql: `
    SELECT id, source, status FROM bookings WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE
  `,
});

const LOCK_DISCOUNT_CODES = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM discount_codes WHERE organization_id = $1
      AND id IN (SELECT discount_code_id FROM bookings WHERE organization_id = $1 AND id = ANY ($2))
    ORDER BY id FOR NO KEY UPDATE
  `,
});

const LOCK_RESERVED_GROUPS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM reserved_entry_groups WHERE organization_id = $1 AND reallocate_on_cancel
      AND id IN (SELECT reserved_entry_group_id FROM start_list_entries
        WHERE organization_id = $1 AND booking_id = ANY ($2) AND holds_reserved_place)
    ORDER BY id FOR NO KEY UPDATE
  `,
});

const LOCK_ENTRIES = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM start_list_entries WHERE organization_id = $1 AND booking_id = ANY ($2) ORDER BY id FOR NO KEY UPDATE
  `,
});

/** The status frees the external id and, by a trigger, the uses of the discount code. */
const CANCEL = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    UPDATE bookings SET status = 'CANCELLED', cancelled_at = clock_timestamp()
    WHERE organization_id = $1 AND id = ANY ($2)
  `,
});

/** `cancelled_at` frees an assignment's external id; places are counted by trigger. */
const CANCEL_ENTRIES = statement({
  parameters: ['uuid', 'uuid[]', 'text'],
  sql: `
    UPDATE start_list_entries e SET
      cancelled_at = b.cancelled_at,
      status_details = e.status_details || jsonb_build_object('status', 'CANCELLED', 'reason', $3::text,
        'at', to_char(b.cancelled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
      holds_reserved_place = e.holds_reserved_place AND NOT coalesce((
        SELECT g.reallocate_on_cancel FROM reserved_entry_groups g
        WHERE g.organization_id = e.organization_id AND g.id = e.reserved_entry_group_id), false)
    FROM bookings b
    WHERE b.organization_id = $1 AND b.id = ANY ($2)
      AND e.organization_id = b.organization_id AND e.booking_id = b.id AND e.cancelled_at IS NULL
  `,
});

const releaseExternalIds = (table: 'line_items' | 'add_on_allocations') =>
  statement({
    parameters: ['uuid', 'uuid[]'],
    sql: `
      UPDATE ${table} SET released_at = clock_timestamp()
      WHERE organization_id = $1 AND booking_id = ANY ($2) AND released_at IS NULL
    `,
  });
const RELEASE_LINE_ITEMS = releaseExternalIds('line_items');
const RELEASE_ADD_ONS = releaseExternalIds('add_on_allocations');

/**
 * Cancels bookings, and frees their external ids and those of their line items, allocations and assignments, their bibs,
 * their uses of discount codes, and their reserved places if the group has `reallocateOnCancel`
 * (docs/interface.md#imports). The entries stay and are marked as cancelled. Of concurrent calls, one cancels; the
 * others wait for it and change nothing. The worker must not link claims with what it read before the cancellation, so the
 * race day is locked.
 *
 * @returns the outcome of each booking
 */
export async function cancelBookings(
  manager: EntityManager,
  { organizationId, bookingIds, reason, sources }: Cancellation,
): Promise<Map<string, CancelOutcome>> {
  const outcomes = new Map<string, CancelOutcome>(bookingIds.map((id) => [id, 'MISSING']));
  await lockRaceDay(manager, organizationId);
  const found = await LOCK_BOOKINGS.rows(manager, [organizationId, bookingIds]);
  for (const { id, source, status } of found) {
    const refused = sources && !sources.includes(source);
    outcomes.set(id, refused ? 'REFUSED' : status === 'CONFIRMED' ? 'CANCELLED' : 'ALREADY_CANCELLED');
  }
  const cancelled = [...outcomes.keys()].filter((id) => outcomes.get(id) === 'CANCELLED');
  if (cancelled.length === 0) return outcomes;

  const bookings = [organizationId, cancelled] as const;
  await LOCK_DISCOUNT_CODES.run(manager, bookings);
  await LOCK_RESERVED_GROUPS.run(manager, bookings);
  await holdBibs(manager, organizationId, cancelled);
  await LOCK_ENTRIES.run(manager, bookings);
  await CANCEL.run(manager, bookings);
  await CANCEL_ENTRIES.run(manager, [...bookings, reason]);
  await RELEASE_LINE_ITEMS.run(manager, bookings);
  await RELEASE_ADD_ONS.run(manager, bookings);
  await freeBibs(manager, organizationId, cancelled);
  return outcomes;
}
