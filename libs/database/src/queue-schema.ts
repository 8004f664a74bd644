/** Where BullMQ keeps its queues when PostgreSQL is their backend. */
export const QUEUE_SCHEMA = 'bullmq';
