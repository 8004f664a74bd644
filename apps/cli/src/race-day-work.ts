import type { DataSource } from 'typeorm';
import { hasRaceDayWork, raceDayRound } from '#domain/race-day';

/** Messages of one transaction: other transactions that wait for it wait briefly. */
const BATCH = 1_000;

/**
 * Applies race-day messages that waited for participants who now exist. A command has no queue to enqueue them in,
 * and its user should not have to wait for the worker's next sweep. A worker may do the same concurrently.
 */
export async function doRaceDayWork(dataSource: DataSource, organizationId: string): Promise<void> {
  while (await hasRaceDayWork(dataSource.manager, organizationId))
    await raceDayRound((step) => dataSource.transaction(step), organizationId, BATCH);
}
