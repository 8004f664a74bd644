/**
 * Shares scarce resources of a process, such as connections or a thread, fairly among organizations.
 *
 *   const queue = new FairQueue({ slots: 18, waitMs: 3_000 });
 *   const rows = await queue.run(organizationId, () => pool.query(…));
 *   await inRounds(organizationsWithWork, (organizationId) => doOneUnit(organizationId));
 */

export { FairQueue, type FairQueueOptions, ShareExceeded } from './fair-queue';
export { inRounds } from './in-rounds';
