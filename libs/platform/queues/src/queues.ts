/** The payloads of jobs: ids only. The work is stored in rows that are committed before a job is added. */
export interface JobPayloads {
  /** Import jobs of the organization with rows that have no outcome yet. */
  imports: { organizationId: string };
  /** Race-day messages that are not applied yet. */
  'race-day': { organizationId: string };
  /** Work on data of persons: exports, erasures and redactions. */
  persons: { organizationId: string };
  /** Webhook deliveries of an endpoint that are due. */
  webhooks: { organizationId: string; endpointId: string };
}

export type QueueName = keyof JobPayloads;

/** The origin of a job, for logs and traces. Jobs of sweepers have none. */
export interface Origin {
  requestId?: string;
  /** W3C Trace Context. */
  traceparent?: string;
}

export type JobData<Q extends QueueName> = JobPayloads[Q] & { origin?: Origin };

export const QUEUE_NAMES = Object.keys({
  imports: true,
  'race-day': true,
  persons: true,
  webhooks: true,
} satisfies Record<QueueName, true>) as QueueName[];

/** The most connections of a process to queues in PostgreSQL; docs/operating.md counts them. */
export const QUEUE_CONNECTIONS = 4 + 3 * QUEUE_NAMES.length;

/**
 * The deduplication id of a queue's jobs: while a job with the same id waits, no other is added. Absent: none is skipped.
 */
export const DEDUPLICATED: { [Q in QueueName]?: (payload: JobPayloads[Q]) => string } = {
  imports: ({ organizationId }) => organizationId,
  'race-day': ({ organizationId }) => organizationId,
  persons: ({ organizationId }) => organizationId,
  webhooks: ({ endpointId }) => endpointId,
};

/**
 * The handler of a queue. It can run twice for the same job, and in two processes at the same time.
 *
 * @param begin for deduplicated jobs: await it before looking for work. This job finds rows that are committed before it
 * resolves; enqueueing later adds another job.
 * @param requestId the id of the request that enqueued the job, if any
 */
export type JobHandler<Q extends QueueName> = (
  payload: JobPayloads[Q],
  begin: () => Promise<unknown>,
  requestId?: string,
) => Promise<void>;

/** Exactly one handler per queue, checked by the compiler. */
export type JobHandlers = { [Q in QueueName]: JobHandler<Q> };
