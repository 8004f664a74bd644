/**
 * The queues between api and worker. All truth is in PostgreSQL: a queue only wakes workers up, and losing it
 * loses nothing.
 *
 *   wakeups.wake('imports', { organizationId, jobId }, request.id); // api, after its transaction
 *   workers.start({ imports: (payload) => …, 'race-day': (payload, begin) => … });   // worker
 */
export { JobsModule } from './jobs.module';
export type { JobHandler, JobHandlers, JobPayloads, QueueName } from './queues';
export { Wakeups } from './wakeups';
export { Workers } from './workers';
