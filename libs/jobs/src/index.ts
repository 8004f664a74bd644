/**
 * The queues between api and worker. All truth is in PostgreSQL: a queue only carries ids, and losing it
 * loses nothing.
 *
 *   producer.enqueue('imports', { organizationId, jobId }, request.id); // api, after its transaction
 *   workers.start({ imports: (payload) => …, 'race-day': (payload, begin) => … });   // worker
 */

export { JobProducer } from './job-producer';
export { JobsModule } from './jobs.module';
export type { JobHandler, JobHandlers, JobPayloads, QueueName } from './queues';
export { Workers } from './workers';
