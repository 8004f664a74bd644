import type { EntityManager } from 'typeorm';
import type { Booking } from '#libs/database';
import { freeBibs, holdBibs } from './free-bibs';

/** `MISSING`: the organization has no such booking. `REFUSED`: it did not come through the API. */
export type CancelOutcome = 'CANCELLED' | 'ALREADY_CANCELLED' | 'REFUSED' | 'MISSING';

/** Contract, "States and transitions": what cancelling does, by the booking's source and status. */
const TRANSITIONS: Record<Booking['source'], Record<Booking['status'], CancelOutcome>> = {
  API: { CONFIRMED: 'CANCELLED', CANCELLED: 'ALREADY_CANCELLED' },
  WEBSITE: { CONFIRMED: 'REFUSED', CANCELLED: 'REFUSED' },
  DASHBOARD: { CONFIRMED: 'REFUSED', CANCELLED: 'REFUSED' },
};

const LOCK_BOOKING = /* sql */ `
  SELECT source, status FROM bookings WHERE organization_id = $1 AND id = $2 FOR UPDATE
`;

const LOCK_DISCOUNT_CODE = /* sql */ `
  SELECT FROM discount_codes WHERE organization_id = $1
    AND id = (SELECT discount_code_id FROM bookings WHERE organization_id = $1 AND id = $2)
  FOR NO KEY UPDATE
`;

const LOCK_RESERVED_GROUPS = /* sql */ `
  SELECT FROM reserved_entry_groups WHERE organization_id = $1 AND reallocate_on_cancel
    AND id IN (SELECT reserved_entry_group_id FROM start_list_entries
      WHERE organization_id = $1 AND booking_id = $2 AND holds_reserved_place)
  ORDER BY id FOR NO KEY UPDATE
`;

const LOCK_ENTRIES = /* sql */ `
  SELECT FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2 ORDER BY id FOR NO KEY UPDATE
`;

/** Its status takes it out of the live external ids and, by trigger, out of the discount code's usage. */
const CANCEL = /* sql */ `
  UPDATE bookings SET status = 'CANCELLED', cancelled_at = clock_timestamp()
  WHERE organization_id = $1 AND id = $2
`;

/** `cancelled_at` frees an assignment's external id; places are counted by trigger. */
const CANCEL_ENTRIES = /* sql */ `
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
`;

const releaseExternalIds = (table: 'line_items' | 'add_on_allocations') => /* sql */ `
  UPDATE ${table} SET released_at = clock_timestamp()
  WHERE organization_id = $1 AND booking_id = $2 AND released_at IS NULL
`;

/**
 * Cancels a booking that came through the API, and frees what it held: its external id and those of its line
 * items, allocations and assignments, its bibs, its discount usage, and its reserved places where the group
 * says so (decisions, section 4). Its entries stay, and say that they are cancelled. Of any number of calls at
 * once, one cancels; the others wait for it and change nothing.
 *
 * @param reason shown in the entries' `statusDetails`
 */
export async function cancelBooking(
  manager: EntityManager,
  { organizationId, bookingId, reason }: { organizationId: string; bookingId: string; reason: string },
): Promise<CancelOutcome> {
  const booking = [organizationId, bookingId];
  const [found]: Pick<Booking, 'source' | 'status'>[] = await manager.query(LOCK_BOOKING, booking);
  if (!found) return 'MISSING';
  const outcome = TRANSITIONS[found.source][found.status];
  if (outcome !== 'CANCELLED') return outcome;

  await manager.query(LOCK_DISCOUNT_CODE, booking);
  await manager.query(LOCK_RESERVED_GROUPS, booking);
  await holdBibs(manager, organizationId, bookingId);
  await manager.query(LOCK_ENTRIES, booking);
  await manager.query(CANCEL, booking);
  await manager.query(CANCEL_ENTRIES, [...booking, reason]);
  await manager.query(releaseExternalIds('line_items'), booking);
  await manager.query(releaseExternalIds('add_on_allocations'), booking);
  await freeBibs(manager, organizationId, bookingId);
  return outcome;
}
