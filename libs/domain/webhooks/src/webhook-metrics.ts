import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, statement } from '#platform/database';
import { Metrics } from '#platform/process';

/** The most deliveries that are counted. */
const MOST = 10_000;

const READ = statement({
  parameters: ['int'],
  columns: { lag: 'float8', waiting: 'float8', disabled: 'int', failing: 'int' },
  sql: 'SELECT * FROM webhook_figures($1)',
});

/** Metrics of webhooks. Due deliveries and failing endpoints are read from the rows at a scrape. */
@Injectable()
export class WebhookMetrics implements OnModuleInit {
  readonly attempts = this.metrics.counter({
    name: 'startline_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome: delivered, failed and to be retried, or given_up.',
    labelNames: ['outcome'],
  });
  readonly seconds = this.metrics.histogram({
    name: 'startline_webhook_attempt_seconds',
    help: 'Response time of webhook endpoints.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 15],
  });

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    for (const outcome of ['delivered', 'failed', 'given_up']) this.attempts.inc({ outcome }, 0);
    this.metrics.ask('webhooks', {
      gauges: {
        startline_webhook_lag_seconds: {
          help: 'Age of the oldest due delivery to endpoints that are not failing; 0 if none is due.',
        },
        startline_webhook_due: {
          help: `Due deliveries to endpoints that are not failing; at most ${MOST} of each endpoint are counted.`,
        },
        startline_webhook_endpoints_failing: { help: 'Endpoints whose last delivery failed.' },
        startline_webhook_endpoints_disabled: {
          help: 'Endpoints that were disabled because their deliveries failed.',
        },
      },
      ask: async () => {
        // Not prepared: the plan must match the current size of the tables.
        const found = await this.database.everywhere((on) => READ.rows(on, [MOST]));
        const sum = (of: 'waiting' | 'failing' | 'disabled') =>
          found.reduce((total, each) => total + each[of], 0);
        return [
          { gauge: 'startline_webhook_lag_seconds', value: Math.max(...found.map(({ lag }) => lag)) },
          { gauge: 'startline_webhook_due', value: sum('waiting') },
          { gauge: 'startline_webhook_endpoints_failing', value: sum('failing') },
          { gauge: 'startline_webhook_endpoints_disabled', value: sum('disabled') },
        ];
      },
    });
  }
}
