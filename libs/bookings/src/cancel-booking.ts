import type { EntityManager } from 'typeorm';
import { type Booking, statement, typed } from '#libs/database';
import { freeBibs, holdBibs } from './free-bibs';

/** `MISSING`: the organization has no such booking. `REFUSED`: its source is not `API`. */
export type CancelOutcome = 'CANCELLED' | 'ALREADY_CANCELLED' | 'REFUSED' | 'MISSING';

/** The result of cancelling, by source and status (docs/interface.md#imports). */
const TRANSITIONS: Record<Booking['source'], Record<Booking['status'], CancelOutcome>> = {
  API: { CONFIRMED: 'CANCELLED', CANCELLED: 'ALREADY_CANCELLED' },
  WEBSITE: { CONFIRMED: 'REFUSED', CANCELLED: 'REFUSED' },
  DASHBOARD: { CONFIRMED: 'REFUSED', CANCELLED: 'REFUSED' },
};

const LOCK_BOOKING = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    source: typed<Booking['source']>('text'),
    status: typed<Booking['status']>('text'),
  },
  sql: `
    SELECT source, status FROM bookings WHERE organization_id = $1 AND id = $2 FOR UPDATE
  `,
});

const LOCK_DISCOUNT_CODE = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    SELECT FROM discount_codes WHERE organization_id = $1
      AND id = (SELECT discount_code_id FROM bookings WHERE organization_id = $1 AND id = $2)
    FOR NO KEY UPDATE
  `,
});

const LOCK_RESERVED_GROUPS = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    SELECT FROM reserved_entry_groups WHERE organization_id = $1 AND reallocate_on_cancel
      AND id IN (SELECT reserved_entry_group_id FROM start_list_entries
        WHERE organization_id = $1 AND booking_id = $2 AND holds_reserved_place)
    ORDER BY id FOR NO KEY UPDATE
  `,
});

const LOCK_ENTRIES = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    SELECT FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2 ORDER BY id FOR NO KEY UPDATE
  `,
});

/** The status frees the external id and, by a trigger, the uses of the discount code. */
const CANCEL = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE bookings SET status = 'CANCELLED', cancelled_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2
  `,
});

/** `cancelled_at` frees an assignment's external id; places are counted by trigger. */
const CANCEL_ENTRIES = statement({
  parameters: ['uuid', 'uuid', 'text'],
  sql: `
    UPDATE start_list_entries e SET
      cancelled_at = b.cancelled_at,
      status_details = e.status_details || jsonb_build_object('status', 'CANCELLED', 'reason', $3::text,
        'at', to_char(b.cancelled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
      holds_reserved_place = e.holds_reserved_place AND NOT coalesce((
        SELECT g.reallocate_on_cancel FROM reserved_entry_groups g
        WHERE g.organization_id = e.organization_id AND g.id = e.reserved_entry_group_id), false)
    FROM bookings b
    WHERE b.organization_id = $1 AND b.id = $2
      AND e.organization_id = $1 AND e.booking_id = $2 AND e.cancelled_at IS NULL
  `,
});

const releaseExternalIds = (table: 'line_items' | 'add_on_allocations') =>
  statement({
    parameters: ['uuid', 'uuid'],
    sql: `
      UPDATE ${table} SET released_at = clock_timestamp()
      WHERE organization_id = $1 AND booking_id = $2 AND released_at IS NULL
    `,
  });
const RELEASE_LINE_ITEMS = releaseExternalIds('line_items');
const RELEASE_ADD_ONS = releaseExternalIds('add_on_allocations');

/**
 * Cancels a booking with source `API`, and frees its external id and those of its line items, allocations and
 * assignments, its bibs, its uses of discount codes, and its reserved places if the group has `reallocateOnCancel`
 * (docs/interface.md#imports). Its entries stay and are marked as cancelled. Of concurrent calls, one cancels; the
 * others wait for it and change nothing.
 *
 * @param reason shown in the entries' `statusDetails`
 */
export async function cancelBooking(
  manager: EntityManager,
  { organizationId, bookingId, reason }: { organizationId: string; bookingId: string; reason: string },
): Promise<CancelOutcome> {
  const booking = [organizationId, bookingId] as const;
  const found = await LOCK_BOOKING.first(manager, booking);
  if (!found) return 'MISSING';
  const outcome = TRANSITIONS[found.source][found.status];
  if (outcome !== 'CANCELLED') return outcome;

  await LOCK_DISCOUNT_CODE.run(manager, booking);
  await LOCK_RESERVED_GROUPS.run(manager, booking);
  await holdBibs(manager, organizationId, bookingId);
  await LOCK_ENTRIES.run(manager, booking);
  await CANCEL.run(manager, booking);
  await CANCEL_ENTRIES.run(manager, [...booking, reason]);
  await RELEASE_LINE_ITEMS.run(manager, booking);
  await RELEASE_ADD_ONS.run(manager, booking);
  await freeBibs(manager, organizationId, bookingId);
  return outcome;
}
