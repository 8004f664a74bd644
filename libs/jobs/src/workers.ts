import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { type Job, Worker } from 'bullmq';
import { SETTINGS, type Settings } from '#libs/config';
import { QUEUE_BACKEND, type QueueBackend } from './backend';
import { type JobHandler, type JobHandlers, QUEUE_NAMES, type QueueName } from './queues';

/** Does the jobs of every queue in this process. More processes do more of them. */
@Injectable()
export class Workers implements BeforeApplicationShutdown {
  private readonly logger = new Logger('queues');
  private workers: Worker[] = [];

  constructor(
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  start(handlers: JobHandlers): void {
    this.workers = QUEUE_NAMES.map((name) => this.worker(name, handlers[name] as JobHandler<QueueName>));
  }

  /** Takes no new jobs, and finishes those under way. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private worker(name: QueueName, handler: JobHandler<QueueName>): Worker {
    const { WORKER_CONCURRENCY, JOB_LOCK_MS } = this.settings;
    const worker = new Worker(name, (job: Job) => handler(job.data, () => job.removeDeduplicationKey()), {
      connection: this.backend.consumer,
      concurrency: WORKER_CONCURRENCY,
      lockDuration: JOB_LOCK_MS,
      stalledInterval: JOB_LOCK_MS,
      // A job whose worker died is no worse a job: rows say what is left to do, not the queue.
      maxStalledCount: 1_000,
    });
    worker.on('error', ({ message }) => this.logger.warn({ queue: name, message }));
    worker.on('failed', (job, { message }) => {
      this.logger.error({ queue: name, job: job?.id, attempts: job?.attemptsMade, message });
    });
    return worker;
  }
}
