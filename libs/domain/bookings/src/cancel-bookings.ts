import type { EntityManager } from 'typeorm';
import { cancelEntries, formUnits, lockEntriesToCancel } from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { type Booking, statement, typed } from '#platform/database';
import { FREE_USES_OF_CODES } from './free-uses';

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
  /** Reserved places become free whatever their groups say. */
  freesPlaces?: boolean;
}

export const LOCK_BOOKINGS = statement({
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

/** @param $3 also those whose places do not become free, so that their settings do not change until the transaction ends */
const LOCK_RESERVED_GROUPS = statement({
  parameters: ['uuid', 'uuid[]', 'boolean'],
  sql: `
    SELECT FROM reserved_entry_groups WHERE organization_id = $1 AND (reallocate_on_cancel OR $3)
      AND id IN (SELECT reserved_entry_group_id FROM start_list_entries
        WHERE organization_id = $1 AND booking_id = ANY ($2) AND (holds_reserved_place OR $3))
    ORDER BY id FOR NO KEY UPDATE
  `,
});

/**
 * What is locked between bookings and bibs.
 *
 * @param allGroups those whose places do not become free by their settings too; a partner's right to cancel is such a setting
 */
export async function lockCodesAndGroups(
  manager: EntityManager,
  organizationId: string,
  bookingIds: readonly string[],
  allGroups: boolean,
): Promise<void> {
  await LOCK_DISCOUNT_CODES.run(manager, [organizationId, bookingIds]);
  await LOCK_RESERVED_GROUPS.run(manager, [organizationId, bookingIds, allGroups]);
}

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
 * (docs/domain-rules.md#imports). The entries stay and are marked as cancelled. Of concurrent calls, one cancels; the
 * others wait for it and change nothing. The worker must not link claims with what it read before the cancellation, so the
 * race day is locked.
 *
 * @returns the outcome of each booking
 */
export async function cancelBookings(
  manager: EntityManager,
  { organizationId, bookingIds, reason, sources, partnerId, freesPlaces = false }: Cancellation,
): Promise<Map<string, CancelOutcome>> {
  const outcomes = new Map<string, CancelOutcome>(bookingIds.map((id) => [id, 'MISSING']));
  await lockRaceDay(manager, organizationId);
  const found = await LOCK_BOOKINGS.rows(manager, [organizationId, bookingIds, partnerId ?? null]);
  // Under the locks: group, partner, permission and deadline can change before them.
  if (partnerId)
    await lockCodesAndGroups(
      manager,
      organizationId,
      found.map(({ id }) => id),
      true,
    );
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
  if (!partnerId) await lockCodesAndGroups(manager, organizationId, cancelled, freesPlaces);
  await lockEntriesToCancel(manager, organizationId, cancelled);
  await CANCEL.run(manager, bookings);
  await RELEASE_LINE_ITEMS.run(manager, bookings);
  await RELEASE_ADD_ONS.run(manager, bookings);
  await cancelEntries(manager, organizationId, cancelled, reason, null, freesPlaces);
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

/** In a statement of its own after the locks of the booking and of its groups. */
const ENTRY_TO_CANCEL = statement({
  parameters: ['uuid', 'uuid', 'uuid?'],
  columns: {
    isCancelled: 'boolean',
    isLast: 'boolean',
    byPartner: 'boolean',
    isOver: 'boolean',
  },
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
  await lockCodesAndGroups(manager, organizationId, [bookingId], partnerId !== undefined);
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
  await lockEntriesToCancel(manager, organizationId, [bookingId]);
  await cancelEntries(manager, organizationId, [bookingId], reason, [participantId]);
  await formUnits(manager, organizationId, [bookingId]);
  await FREE_USES_OF_CODES.run(manager, [organizationId, [bookingId], [participantId]]);
  return 'CANCELLED';
}
