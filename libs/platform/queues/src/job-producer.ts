import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SpanKind } from '@opentelemetry/api';
import type { Queue } from 'bullmq';
import { currentTraceparent, inSpan } from '#platform/process';
import { warningsOf } from './log-errors';
import { QueueMetrics } from './queue-metrics';
import { DEDUPLICATED, type JobData, type JobPayloads, QUEUE_NAMES, type QueueName } from './queues';

/** Deduplication expires after this time: the worker of the job that was added may have died. */
const DEDUPLICATION_TTL_MS = 10_000;
/** The delay doubles with each attempt. The sweeper finds work whose job has failed for good. */
const [ATTEMPTS, BACKOFF_MS] = [10, 1_000];

/** Adds jobs to the queues. */
@Injectable()
export class JobProducer implements OnModuleInit {
  private readonly warn = Object.fromEntries(QUEUE_NAMES.map((name) => [name, warningsOf(name)]));
  /** Deduplicated jobs that are being added, and whether to add another job afterwards. */
  private readonly adding = new Map<string, boolean>();

  constructor(
    private readonly modules: ModuleRef,
    private readonly metrics: QueueMetrics,
  ) {}

  onModuleInit(): void {
    for (const name of QUEUE_NAMES) this.metrics.enqueueFailures.inc({ queue: name }, 0);
  }

  /**
   * Does not throw and need not be awaited: the work is in the database, and the sweeper finds what the queue lost.
   *
   * @param requestId the request id, which log lines of the job contain
   */
  enqueue<Q extends QueueName>(name: Q, payload: JobPayloads[Q], requestId?: string): void {
    const id = DEDUPLICATED[name]?.(payload);
    if (!id) return void this.add(name, payload, requestId);
    // The job that is being added may start before this caller's rows are committed, so add another one after it.
    const key = `${name}/${id}`;
    if (this.adding.has(key)) return void this.adding.set(key, true);
    this.adding.set(key, false);
    void this.add(name, payload, requestId, { id, ttl: DEDUPLICATION_TTL_MS }).then(() => {
      const again = this.adding.get(key);
      this.adding.delete(key);
      if (again) this.enqueue(name, payload, requestId);
    });
  }

  /** Like `enqueue`, with a delay, for a deduplicated queue. Jobs that are due in the same second are deduplicated. */
  enqueueLater<Q extends QueueName>(name: Q, payload: JobPayloads[Q], delayMs: number): void {
    // Queues in PostgreSQL refuse fractions.
    const delay = Math.ceil(delayMs);
    const due = Math.ceil((Date.now() + delay) / 1_000);
    const id = `${DEDUPLICATED[name]?.(payload)}@${due}`;
    void this.add(name, payload, undefined, { id, ttl: delay + DEDUPLICATION_TTL_MS }, delay);
  }

  private async add<Q extends QueueName>(
    name: Q,
    payload: JobPayloads[Q],
    requestId: string | undefined,
    deduplication?: { id: string; ttl: number },
    delay?: number,
  ): Promise<void> {
    try {
      await inSpan(`enqueue ${name}`, { kind: SpanKind.PRODUCER }, () => {
        const data: JobData<Q> = { ...payload, origin: { requestId, traceparent: currentTraceparent() } };
        return this.queue(name).add(name, data, {
          attempts: ATTEMPTS,
          backoff: { type: 'exponential', delay: BACKOFF_MS },
          removeOnComplete: true,
          removeOnFail: true,
          deduplication,
          delay,
        });
      });
    } catch (error) {
      this.metrics.enqueueFailures.inc({ queue: name });
      this.warn[name]?.(error as Error);
    }
  }

  /** The jobs that wait in a queue; infinitely many while it can't be reached. */
  async waiting(name: QueueName): Promise<number> {
    try {
      return await this.queue(name).getWaitingCount();
    } catch (error) {
      this.warn[name]?.(error as Error);
      return Number.POSITIVE_INFINITY;
    }
  }

  private queue(name: QueueName): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }
}
