import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { Metrics, type Sample } from '#platform/process';
import { QUEUE_NAMES, type QueueName } from './queues';

/** Metrics of the queues. */
@Injectable()
export class QueueMetrics implements OnModuleInit {
  readonly jobSeconds = this.metrics.histogram({
    name: 'startline_queue_job_seconds',
    help: 'Duration of jobs, by queue and outcome: done, or failed and to be retried.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
  });
  readonly enqueueFailures = this.metrics.counter({
    name: 'startline_enqueue_failures_total',
    help: 'Jobs that could not be added to their queue, by queue. The sweeper finds their work later.',
    labelNames: ['queue'],
  });

  constructor(
    private readonly modules: ModuleRef,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.ask('queues', {
      gauges: {
        startline_queue_jobs: {
          help: 'Jobs by queue and state: waiting, active, or delayed until a retry.',
          labels: ['queue', 'state'],
        },
        startline_queue_oldest_seconds: {
          help: 'Age of the oldest waiting job, by queue; 0 if none waits.',
          labels: ['queue'],
        },
      },
      ask: async () => (await Promise.all(QUEUE_NAMES.map((name) => this.samplesOf(name)))).flat(),
    });
  }

  private async samplesOf(name: QueueName): Promise<Sample[]> {
    const queue = this.modules.get<Queue>(getQueueToken(name), { strict: false });
    const [counts, [oldest]] = await Promise.all([
      queue.getJobCounts('waiting', 'active', 'delayed'),
      queue.getJobs(['waiting'], 0, 0, true),
    ]);
    const age = oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1000 : 0;
    return [
      ...['waiting', 'active', 'delayed'].map((state) => ({
        gauge: 'startline_queue_jobs',
        labels: { queue: name, state },
        value: counts[state] ?? 0,
      })),
      { gauge: 'startline_queue_oldest_seconds', labels: { queue: name }, value: age },
    ];
  }
}
