/** What each queue's jobs carry: ids only. The work itself is rows, durable before a job is added. */
export interface JobPayloads {
  /** Import jobs of the organization with rows that have no outcome yet. */
  imports: { organizationId: string };
  /** Race-day messages that nobody has applied yet. */
  'race-day': { organizationId: string };
  /** Webhook deliveries of an endpoint that are due. */
  webhooks: { organizationId: string; endpointId: string };
}

export type QueueName = keyof JobPayloads;

/** What a job came from, for logs and traces alone: jobs that the sweepers add have none. */
export interface Origin {
  requestId?: string;
  /** W3C Trace Context. */
  traceparent?: string;
}

export type JobData<Q extends QueueName> = JobPayloads[Q] & { origin?: Origin };

export const QUEUE_NAMES = Object.keys({
  imports: true,
  'race-day': true,
  webhooks: true,
} satisfies Record<QueueName, true>) as QueueName[];

/**
 * The deduplication id of a queue's jobs: while a job with the same id waits, no other is added. Absent: none is skipped.
 */
export const DEDUPLICATED: { [Q in QueueName]?: (payload: JobPayloads[Q]) => string } = {
  imports: ({ organizationId }) => organizationId,
  'race-day': ({ organizationId }) => organizationId,
  webhooks: ({ endpointId }) => endpointId,
};

/**
 * What does a queue's jobs. It may run twice for the same job, and in two processes at once.
 *
 * @param begin of deduplicated jobs: await it before looking for work. What becomes durable before it has ended
 * is found by this job; enqueueing after that adds another job.
 * @param requestId the request that enqueued it, where one did
 */
export type JobHandler<Q extends QueueName> = (
  payload: JobPayloads[Q],
  begin: () => Promise<unknown>,
  requestId?: string,
) => Promise<void>;

/** One handler for every queue: the compiler misses none and takes no two. */
export type JobHandlers = { [Q in QueueName]: JobHandler<Q> };
