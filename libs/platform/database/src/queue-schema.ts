/** The schema of BullMQ's queues if PostgreSQL is their backend. */
export const QUEUE_SCHEMA = 'bullmq';
