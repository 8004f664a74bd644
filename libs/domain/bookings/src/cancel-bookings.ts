import type { EntityManager } from 'typeorm';
import { cancelEntries, lockEntriesToCancel } from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { type Booking, statement, typed } from '#platform/database';

/**
 * `MISSING`: the organization or partner has no such booking. `REFUSED`: its source is none of those that may be cancelled.
 * `NOT_BY_PARTNER`: a group of its entries does not permit it. `AFTER_DEADLINE`: it does not any more.
 */
export type CancelOutcome =
  | 'CANCELLED'
  | 'ALREADY_CANCELLED'
  | 'REFUSED'
  | 'NOT_BY_PARTNER'
  | 'AFTER_DEADLINE'
  | 'MISSING';

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
  columns: { id: 'uuid', isPermitted: 'boolean' },
  sql: `
    SELECT e.booking_id AS id, bool_and(g.can_partner_cancel IS TRUE) AS "isPermitted" FROM start_list_entries e
    LEFT JOIN reserved_entry_groups g ON g.organization_id = e.organization_id AND g.id = e.reserved_entry_group_id
    WHERE e.organization_id = $1 AND e.booking_id = ANY ($2) AND e.cancelled_at IS NULL
      AND (g.can_partner_cancel IS NOT TRUE OR g.deadline < clock_timestamp())
    GROUP BY e.booking_id
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
  for (const { id, isPermitted } of notByPartner)
    if (['CANCELLED', 'REFUSED'].includes(outcomes.get(id) ?? ''))
      outcomes.set(id, isPermitted ? 'AFTER_DEADLINE' : 'NOT_BY_PARTNER');
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

const FIND_ENTRY = statement({
  parameters: ['uuid', 'uuid', 'uuid?'],
  columns: { bookingId: 'uuid' },
  sql: `
    SELECT booking_id AS "bookingId" FROM start_list_entries
    WHERE organization_id = $1 AND participant_id = $2 AND approval_status = 'APPROVED'
      AND ($3::uuid IS NULL OR $3 IN (via_partner_id, via_top_partner_id))
  `,
});

/** In a statement of its own after the lock of the booking. */
const ENTRY_TO_CANCEL = statement({
  parameters: ['uuid', 'uuid', 'uuid?'],
  columns: { isCancelled: 'boolean', isLast: 'boolean', byPartner: 'boolean', isOver: 'boolean' },
  sql: `
    SELECT e.cancelled_at IS NOT NULL AS "isCancelled",
      NOT EXISTS (SELECT FROM start_list_entries other
        WHERE other.organization_id = e.organization_id AND other.booking_id = e.booking_id AND other.id <> e.id
          AND other.cancelled_at IS NULL AND other.approval_status IN ('APPROVED', 'PENDING')) AS "isLast",
      coalesce(g.can_partner_cancel AND $3::uuid IN (b.via_partner_id, b.via_top_partner_id), false) AS "byPartner",
      coalesce(g.deadline < clock_timestamp(), false) AS "isOver"
    FROM start_list_entries e
    JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id
    LEFT JOIN reserved_entry_groups g ON g.organization_id = e.organization_id AND g.id = e.reserved_entry_group_id
    WHERE e.organization_id = $1 AND e.participant_id = $2
      AND ($3::uuid IS NULL OR $3 IN (e.via_partner_id, e.via_top_partner_id))
  `,
});

/** Entries that stay form units of the ticket anew, so that a place of the ticket is held as long as one of its unit is. */
const FORM_UNITS = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  sql: `
    UPDATE start_list_entries e SET starts_unit = formed.starts_unit
    FROM (
      SELECT o.id, (row_number() OVER (ORDER BY o.participant_index) - 1) % k.unit_size = 0 AS starts_unit
      FROM start_list_entries left_out
      JOIN tickets k ON k.organization_id = left_out.organization_id AND k.id = left_out.ticket_id
      JOIN start_list_entries o ON o.organization_id = left_out.organization_id AND o.booking_id = left_out.booking_id
        AND o.ticket_id = left_out.ticket_id AND o.team_id IS NOT DISTINCT FROM left_out.team_id
      WHERE left_out.organization_id = $1 AND left_out.booking_id = $2 AND left_out.participant_id = $3
        AND k.unit_size > 1 AND o.cancelled_at IS NULL AND o.reserved_entry_group_id IS NULL
    ) formed
    WHERE e.organization_id = $1 AND e.id = formed.id AND e.starts_unit <> formed.starts_unit
  `,
});

const fits = (e: string) => `(d.ticket_ids IS NULL OR ${e}.ticket_id = ANY (d.ticket_ids))`;

/** Only if the entry is one of those that `DiscountUses` counted. */
const FREE_USE_OF_CODE = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  sql: `
    UPDATE bookings b SET discount_uses = b.discount_uses - 1
    FROM discount_codes d
    WHERE b.organization_id = $1 AND b.id = $2 AND b.discount_uses > 0
      AND d.organization_id = b.organization_id AND d.id = b.discount_code_id AND d.applies_per = 'ENTRY'
      AND $3 IN (
        SELECT e.participant_id FROM start_list_entries e
        WHERE e.organization_id = b.organization_id AND e.booking_id = b.id
          AND (${fits('e')} OR NOT EXISTS (SELECT FROM start_list_entries o
            WHERE o.organization_id = b.organization_id AND o.booking_id = b.id AND ${fits('o')}))
        ORDER BY e.participant_index LIMIT d.limit_usage_per_transaction)
  `,
});

/**
 * Cancels one participant, as `cancelBookings` does all of a booking; with the last active entry, the booking. What was charged stays, and
 * keeps its external ids, so that a repeated import does not charge it again.
 *
 * @param partnerId as in a Cancellation; it can cancel only in bookings that are entirely its own
 */
export async function cancelParticipant(
  manager: EntityManager,
  {
    organizationId,
    participantId,
    reason,
    sources,
    partnerId,
  }: Omit<Cancellation, 'bookingIds'> & { participantId: string },
): Promise<CancelOutcome> {
  const wanted = [organizationId, participantId, partnerId ?? null] as const;
  await lockRaceDay(manager, organizationId);
  const found = await FIND_ENTRY.first(manager, wanted);
  if (!found) return 'MISSING';
  const { bookingId } = found;
  const booking = [organizationId, [bookingId]] as const;
  const [locked] = await LOCK_BOOKINGS.rows(manager, [...booking, null]);
  const entry = await ENTRY_TO_CANCEL.first(manager, wanted);
  if (!locked || !entry) return 'MISSING';
  if (entry.isCancelled) return 'ALREADY_CANCELLED';
  if (partnerId && !entry.byPartner) return 'NOT_BY_PARTNER';
  if (partnerId && entry.isOver) return 'AFTER_DEADLINE';
  if (sources && !sources.includes(locked.source)) return 'REFUSED';
  if (entry.isLast) {
    const outcomes = await cancelBookings(manager, { organizationId, bookingIds: [bookingId], reason });
    return outcomes.get(bookingId) ?? 'MISSING';
  }
  await LOCK_DISCOUNT_CODES.run(manager, booking);
  await LOCK_RESERVED_GROUPS.run(manager, booking);
  await lockEntriesToCancel(manager, organizationId, [bookingId]);
  await cancelEntries(manager, organizationId, [bookingId], reason, participantId);
  await FORM_UNITS.run(manager, [organizationId, bookingId, participantId]);
  await FREE_USE_OF_CODE.run(manager, [organizationId, bookingId, participantId]);
  return 'CANCELLED';
}
