import type { EntityManager } from 'typeorm';
import { statement } from '#libs/database';
import { lockBibs, projectParticipants } from '#libs/race-day';

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

/** Locks the bibs of the races of the bookings' entries until the transaction ends. */
export async function holdBibs(
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
}

/**
 * Removes bibs and claims of cancelled bookings' entries; the next claimant becomes the holder
 * (docs/interface.md#race-day).
 */
export async function freeBibs(
  manager: EntityManager,
  organizationId: string,
  bookingIds: readonly string[],
): Promise<void> {
  const claimants = await CLAIMANTS.rows(manager, [organizationId, bookingIds]);
  await projectParticipants(
    manager,
    organizationId,
    claimants.map(({ participant_id }) => participant_id),
  );
}
