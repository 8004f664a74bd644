import type { EntityManager } from 'typeorm';
import { cancelEntries, lockEntriesToCancel } from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { type Booking, statement, typed } from '#platform/database';

/**
 * `MISSING`: the organization or partner has no such booking. `REFUSED`: its source is none of those that may be cancelled.
 * `NOT_BY_PARTNER`: a group of its entries does not permit it.
 */
export type CancelOutcome = 'CANCELLED' | 'ALREADY_CANCELLED' | 'REFUSED' | 'NOT_BY_PARTNER' | 'MISSING';

export interface Cancellation {
  organizationId: string;
  bookingIds: readonly string[];
  /** Shown in the entries' `statusDetails`. */
  reason: string;
  /** Bookings with another source are refused. Absent: of any source. */
  sources?: readonly Booking['source'][];
  /** Only bookings that came through this partner and its sub-partners, where their groups permit it. */
  partnerId?: string;
}

const LOCK_BOOKINGS = statement({
  parameters: ['uuid', 'uuid[]', 'uuid?'],
  columns: {
    id: 'uuid',
    source: typed<Booking['source']>('text'),
    status: typed<Booking['status']>('text'),
  },
  sql: `
    SELECT id, source, status FROM bookings WHERE organization_id = $1 AND id = ANY ($2)
      AND ($3::uuid IS NULL OR via_partner_id = $3 OR via_top_partner_id = $3) ORDER BY id FOR UPDATE
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

const NOT_BY_PARTNER = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: `
    SELECT DISTINCT e.booking_id AS id FROM start_list_entries e
    LEFT JOIN reserved_entry_groups g ON g.organization_id = e.organization_id AND g.id = e.reserved_entry_group_id
    WHERE e.organization_id = $1 AND e.booking_id = ANY ($2) AND g.can_partner_cancel IS NOT TRUE
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
  { organizationId, bookingIds, reason, sources, partnerId }: Cancellation,
): Promise<Map<string, CancelOutcome>> {
  const outcomes = new Map<string, CancelOutcome>(bookingIds.map((id) => [id, 'MISSING']));
  await lockRaceDay(manager, organizationId);
  const found = await LOCK_BOOKINGS.rows(manager, [organizationId, bookingIds, partnerId ?? null]);
  // Under the lock: group, partner and permission can change before it.
  const notByPartner = partnerId ? await NOT_BY_PARTNER.rows(manager, [organizationId, bookingIds]) : [];
  for (const { id, source, status } of found) {
    const refused = sources && !sources.includes(source);
    outcomes.set(id, refused ? 'REFUSED' : status === 'CONFIRMED' ? 'CANCELLED' : 'ALREADY_CANCELLED');
  }
  for (const { id } of notByPartner) if (outcomes.get(id) !== 'MISSING') outcomes.set(id, 'NOT_BY_PARTNER');
  const cancelled = [...outcomes.keys()].filter((id) => outcomes.get(id) === 'CANCELLED');
  if (cancelled.length === 0) return outcomes;

  const bookings = [organizationId, cancelled] as const;
  await LOCK_DISCOUNT_CODES.run(manager, bookings);
  await LOCK_RESERVED_GROUPS.run(manager, bookings);
  await lockEntriesToCancel(manager, organizationId, cancelled);
  await CANCEL.run(manager, bookings);
  await RELEASE_LINE_ITEMS.run(manager, bookings);
  await RELEASE_ADD_ONS.run(manager, bookings);
  await cancelEntries(manager, organizationId, cancelled, reason);
  return outcomes;
}
