import type { EntityManager } from 'typeorm';
import { cancelEntries, formUnits, lockEntriesToCancel } from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { statement } from '#platform/database';
import { cancelBookings, LOCK_BOOKINGS, lockCodesAndGroups } from './cancel-bookings';
import { FREE_USES_OF_CODES } from './free-uses';

/** Of bookings in which others stay. */
async function cancelSome(
  manager: EntityManager,
  organizationId: string,
  bookingIds: readonly string[],
  participantIds: readonly string[],
  reason: string,
): Promise<void> {
  await cancelEntries(manager, organizationId, bookingIds, reason, participantIds);
  await formUnits(manager, organizationId, bookingIds);
  await FREE_USES_OF_CODES.run(manager, [organizationId, bookingIds, participantIds]);
}

const BOOKINGS_OF = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: `
    SELECT DISTINCT booking_id AS id FROM start_list_entries WHERE organization_id = $1 AND participant_id = ANY ($2)
  `,
});

/** In a statement of its own after the lock of the bookings. */
const ACTIVE = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { participantId: 'uuid', bookingId: 'uuid', othersStay: 'boolean' },
  sql: `
    SELECT e.participant_id AS "participantId", e.booking_id AS "bookingId",
      EXISTS (SELECT FROM start_list_entries other
        WHERE other.organization_id = e.organization_id AND other.booking_id = e.booking_id AND other.cancelled_at IS NULL
          AND other.approval_status IN ('APPROVED', 'PENDING') AND other.participant_id <> ALL ($2)) AS "othersStay"
    FROM start_list_entries e
    WHERE e.organization_id = $1 AND e.participant_id = ANY ($2) AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL
  `,
});

/**
 * Cancels several participants of bookings of any source, as `cancelParticipant` does one.
 *
 * @returns those that were not cancelled before
 */
export async function cancelParticipants(
  manager: EntityManager,
  {
    organizationId,
    participantIds,
    reason,
  }: { organizationId: string; participantIds: string[]; reason: string },
): Promise<Set<string>> {
  if (participantIds.length === 0) return new Set();
  await lockRaceDay(manager, organizationId);
  const bookings = await BOOKINGS_OF.rows(manager, [organizationId, participantIds]);
  const bookingIds = bookings.map(({ id }) => id);
  await LOCK_BOOKINGS.rows(manager, [organizationId, bookingIds, null]);
  const active = await ACTIVE.rows(manager, [organizationId, participantIds]);
  const idsOf = (othersStay: boolean) => [
    ...new Set(active.filter((each) => each.othersStay === othersStay).map(({ bookingId }) => bookingId)),
  ];
  await lockCodesAndGroups(manager, organizationId, bookingIds, false);
  await lockEntriesToCancel(manager, organizationId, bookingIds);
  await cancelBookings(manager, { organizationId, bookingIds: idsOf(false), reason });
  const some = active.filter(({ othersStay }) => othersStay).map(({ participantId }) => participantId);
  if (some.length > 0) await cancelSome(manager, organizationId, idsOf(true), some, reason);
  return new Set(active.map(({ participantId }) => participantId));
}
