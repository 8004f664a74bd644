/**
 * The queues between api and worker. Work is stored in PostgreSQL; a queue only contains ids, so losing it loses no work.
 *
 *   producer.enqueue('imports', { organizationId, jobId }, request.id); // api, after its transaction
 *   workers.start({ imports: (payload) => …, 'race-day': (payload, begin) => … });   // worker
 */

export { Activity } from './fleet/activity';
export { IMPORT_SLOTS } from './fleet/fleet-state';
export { JobProducer } from './job-producer';
export { JobsModule } from './jobs.module';
export { type JobHandler, QUEUE_CONNECTIONS } from './queues';
export { Workers } from './workers';
