import type { EntityManager } from 'typeorm';
import { lockBibs, projectParticipants } from '#domain/race-day';
import { statement } from '#platform/database';
import { statusDetail } from './status-detail.sql';

const RACES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { race_id: 'uuid' },
  sql: `
    SELECT DISTINCT race_id FROM start_list_entries WHERE organization_id = $1 AND booking_id = ANY ($2)
  `,
});

const CLAIMANTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { participant_id: 'uuid' },
  sql: `
    SELECT participant_id FROM start_list_entries
    WHERE organization_id = $1 AND booking_id = ANY ($2) AND (bib_number IS NOT NULL OR bib_claim IS NOT NULL)
  `,
});

const LOCK_ENTRIES = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM start_list_entries WHERE organization_id = $1 AND booking_id = ANY ($2) ORDER BY id FOR NO KEY UPDATE
  `,
});

/** `cancelled_at` frees an assignment's external id; places are counted by trigger. An entry of a booking that stays is cancelled now. */
const CANCEL_ENTRIES = statement({
  parameters: ['uuid', 'uuid[]', 'text', 'uuid[]?', 'boolean'],
  sql: `
    UPDATE start_list_entries e SET
      cancelled_at = moment.at,
      status_details = e.status_details || ${statusDetail("'CANCELLED'", '$3::text', 'moment.at')},
      holds_reserved_place = e.holds_reserved_place AND NOT $5 AND NOT coalesce((
        SELECT g.reallocate_on_cancel FROM reserved_entry_groups g
        WHERE g.organization_id = e.organization_id AND g.id = e.reserved_entry_group_id), false)
    FROM bookings b CROSS JOIN LATERAL (SELECT coalesce(b.cancelled_at, clock_timestamp()) AS at OFFSET 0) moment
    WHERE b.organization_id = $1 AND b.id = ANY ($2)
      AND e.organization_id = b.organization_id AND e.booking_id = b.id AND e.cancelled_at IS NULL
      AND ($4::uuid[] IS NULL OR e.participant_id = ANY ($4))
  `,
});

/** Locks the bibs of the races of the bookings' entries, and then the entries, until the transaction ends. */
export async function lockEntriesToCancel(
  manager: EntityManager,
  organizationId: string,
  bookingIds: readonly string[],
): Promise<void> {
  const races = await RACES.rows(manager, [organizationId, bookingIds]);
  await lockBibs(
    manager,
    organizationId,
    races.map(({ race_id }) => race_id),
  );
  await LOCK_ENTRIES.run(manager, [organizationId, bookingIds]);
}

/**
 * Marks the entries of bookings as cancelled, and removes their bibs and claims; the next claimant becomes the
 * holder (docs/domain-rules.md#race-day).
 *
 * @param reason shown in their `statusDetails`
 * @param participantIds the only entries to cancel, of bookings that stay
 * @param freesPlaces their reserved places become free whatever their groups say
 */
export async function cancelEntries(
  manager: EntityManager,
  organizationId: string,
  bookingIds: readonly string[],
  reason: string,
  participantIds: readonly string[] | null = null,
  freesPlaces = false,
): Promise<void> {
  await CANCEL_ENTRIES.run(manager, [organizationId, bookingIds, reason, participantIds, freesPlaces]);
  const claimants = await CLAIMANTS.rows(manager, [organizationId, bookingIds]);
  await projectParticipants(
    manager,
    organizationId,
    claimants.map(({ participant_id }) => participant_id),
  );
}
