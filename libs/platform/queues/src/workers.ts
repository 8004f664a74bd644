import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { type Job, Worker } from 'bullmq';
import { SETTINGS, type Settings } from '#platform/config';
import { continuing, inSpan } from '#platform/process';
import { QUEUE_BACKEND, type QueueBackend } from './backend';
import { Activity } from './fleet/activity';
import { logErrors } from './log-errors';
import { QueueMetrics } from './queue-metrics';
import { type JobData, type JobHandler, type JobHandlers, QUEUE_NAMES, type QueueName } from './queues';

/**
 * Jobs that wait for a slot in the process, where organizations share the slots, instead of in the queue, which is first
 * come, first served. A sweep finds as many.
 */
const WAITING = 1_000;
/** How long the backend has for the last outcomes. While it is away, the rows determine what is left to do. */
const GOODBYE_MS = 3_000;

/** Processes jobs of the queues in WORKER_QUEUES. */
@Injectable()
export class Workers implements BeforeApplicationShutdown {
  private readonly logger = new Logger('queues');
  private workers: Worker[] = [];

  constructor(
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly metrics: QueueMetrics,
    private readonly activity: Activity,
  ) {}

  start(handlers: JobHandlers): void {
    this.workers = QUEUE_NAMES.filter((name) => this.settings.WORKER_QUEUES.includes(name)).map((name) =>
      this.worker(name, handlers[name] as JobHandler<QueueName>),
    );
  }

  /** Takes no new jobs, and finishes the current ones. */
  async beforeApplicationShutdown(): Promise<void> {
    const closed = Promise.all(this.workers.map((worker) => worker.close()));
    await Promise.race([closed, this.left()]);
  }

  /** When no job runs, GOODBYE_MS after the last one: a job can begin that was fetched before. */
  private async left(): Promise<void> {
    do {
      await this.activity.idle();
      await sleep(GOODBYE_MS, undefined, { ref: false });
    } while (this.activity.isBusy);
  }

  private worker(name: QueueName, handler: JobHandler<QueueName>): Worker {
    const { WORKER_CONCURRENCY, WEBHOOK_CONCURRENCY, SILENT_MS } = this.settings;
    const concurrency = {
      imports: WORKER_CONCURRENCY,
      'race-day': WORKER_CONCURRENCY + WAITING,
      // A search reads all texts of an organization.
      persons: 1,
      webhooks: WEBHOOK_CONCURRENCY + WAITING,
    };
    for (const outcome of ['done', 'failed']) this.metrics.jobSeconds.zero({ queue: name, outcome });
    const worker = new Worker(name, (job: Job<JobData<QueueName>>) => this.work(name, job, handler), {
      connection: this.backend.consumer,
      ...(this.backend.prefix && { prefix: this.backend.prefix }),
      concurrency: concurrency[name],
      lockDuration: SILENT_MS,
      stalledInterval: SILENT_MS,
      // A job whose worker died is not failed: the rows determine what is left to do.
      maxStalledCount: 1_000,
    });
    logErrors(worker);
    worker.on('failed', (job, { message }) => {
      const { origin, ...ids } = (job?.data ?? {}) as Partial<JobData<QueueName>>;
      const { id, attemptsMade: attempts } = job ?? {};
      this.logger.error({ queue: name, job: id, requestId: origin?.requestId, ...ids, attempts, message });
    });
    return worker;
  }

  private async work(
    name: QueueName,
    job: Job<JobData<QueueName>>,
    handler: JobHandler<QueueName>,
  ): Promise<void> {
    const { origin: { requestId, traceparent } = {}, ...payload } = job.data;
    const attributes = { 'startline.request_id': requestId };
    const end = this.metrics.jobSeconds.startTimer({ queue: name });
    const over = this.activity.begin(name, payload.organizationId);
    try {
      await inSpan(
        `${name} job`,
        { kind: SpanKind.CONSUMER, parent: continuing(traceparent), attributes },
        () => handler(payload as never, () => job.removeDeduplicationKey(), requestId),
      );
      end({ outcome: 'done' });
    } catch (error) {
      end({ outcome: 'failed' });
      throw error;
    } finally {
      over();
    }
  }
}
