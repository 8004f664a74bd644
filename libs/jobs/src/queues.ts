/** What each queue's jobs carry: ids only. The work itself is rows, durable before a job is added. */
export interface JobPayloads {
  /** Rows of an import job that have no outcome yet. */
  imports: { organizationId: string; jobId: string };
  /** Race-day messages that nobody has applied yet. */
  'race-day': { organizationId: string };
}

export type QueueName = keyof JobPayloads;

export const QUEUE_NAMES = Object.keys({
  imports: true,
  'race-day': true,
} satisfies Record<QueueName, true>) as QueueName[];

/** What does a queue's jobs. It may run twice for the same job, and in two processes at once. */
export type JobHandler<Q extends QueueName> = (payload: JobPayloads[Q]) => Promise<void>;

/** One handler for every queue: the compiler misses none and takes no two. */
export type JobHandlers = { [Q in QueueName]: JobHandler<Q> };
