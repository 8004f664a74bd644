/**
 * Shares what is scarce in a process between organizations: connections, a thread.
 *
 *   const queue = new FairQueue({ slots: 18, waitMs: 3_000 });
 *   const rows = await queue.run(organizationId, () => pool.query(…));
 */

export { FairQueue, type FairQueueOptions, ShareExceeded } from './fair-queue';
