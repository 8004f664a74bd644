/**
 * Work that repeats while a process runs.
 *
 *   private readonly task = new RepeatedTask(60_000, () => this.announce(), (error) => this.logger.error(error));
 *   onApplicationBootstrap() { this.task.start(); }
 *   onApplicationShutdown() { return this.task.stop(); }
 *
 * Shares scarce resources of a process, such as connections or a thread, fairly among organizations.
 *
 *   const queue = new FairQueue({ slots: 18, waitMs: 3_000 });
 *   const rows = await queue.run(organizationId, () => pool.query(…));
 *   await inRounds(organizationsWithWork, (organizationId) => doOneUnit(organizationId), isStopped);
 */

export { FairQueue, NEVER_GIVES_UP, ShareExceeded } from './fair-queue';
export { inRounds } from './in-rounds';
export { RepeatedTask } from './repeated-task';
