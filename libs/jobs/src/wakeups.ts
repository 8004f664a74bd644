import { getQueueToken } from '@nestjs/bullmq';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { SETTINGS, type Settings } from '#libs/config';
import { type JobPayloads, QUEUE_NAMES, type QueueName } from './queues';

/** Tells the workers that there is something to do. */
@Injectable()
export class Wakeups implements OnModuleInit {
  private readonly logger = new Logger('queues');

  constructor(
    private readonly modules: ModuleRef,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    for (const name of QUEUE_NAMES) {
      this.queue(name).on('error', ({ message }) => this.logger.warn({ queue: name, message }));
    }
  }

  /**
   * Never fails and is never waited for: what is to be done is in the database, and the sweeper finds what the
   * queue lost.
   */
  wake<Q extends QueueName>(name: Q, payload: JobPayloads[Q]): void {
    this.queue(name)
      .add(name, payload, {
        attempts: this.settings.JOB_ATTEMPTS,
        backoff: { type: 'exponential', delay: this.settings.JOB_BACKOFF_MS },
        removeOnComplete: true,
        removeOnFail: true,
      })
      .catch((error: Error) => this.logger.warn({ queue: name, message: error.message }));
  }

  /** Whether the queues' backend answers. */
  async waiting(name: QueueName): Promise<number> {
    return this.queue(name).getWaitingCount();
  }

  private queue(name: QueueName): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }
}
