import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, statement, UNTAKEN_QUEUES } from '#platform/database';
import { Metrics, Readiness } from '#platform/process';
import { QUEUE_NAMES } from './queues';

const BY_QUEUE = statement({
  parameters: ['text[]'],
  columns: { queue: 'text', workers: 'int' },
  sql: `
    SELECT queue, count(w.id)::int AS workers FROM unnest($1::text[]) queue
    LEFT JOIN workers w ON queue = ANY (w.queues) AND w.expires_at > clock_timestamp()
    GROUP BY queue
  `,
  prepared: true,
});

/** Reports to Prometheus and GET /health/ready which queues have workers. */
@Injectable()
export class AnnouncedWorkers implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.metrics.ask('workers', {
      gauges: {
        startline_workers: { help: 'Running workers that take the jobs of a queue.', labels: ['queue'] },
      },
      ask: async () => {
        const found = await this.database.anywhere((on) => BY_QUEUE.rows(on, [QUEUE_NAMES]));
        return found.map(({ queue, workers }) => ({
          gauge: 'startline_workers',
          labels: { queue },
          value: workers,
        }));
      },
    });
    this.readiness.warn(async () => {
      const untaken = await this.database.anywhere((on) => UNTAKEN_QUEUES.rows(on, [QUEUE_NAMES]));
      return untaken.map(({ queue }) => `no worker takes the queue ${queue}`);
    });
  }
}
