import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Database, statement } from '#platform/database';
import { Metrics } from '#platform/process';

/** The most messages that are counted. */
const MOST = 10_000;
/** The most organizations whose oldest message is read. */
const ORGANIZATIONS = 1_000;

const READ = statement({
  parameters: ['int', 'int'],
  columns: { lag: 'float8', pending: 'int', waiting: 'int' },
  sql: 'SELECT * FROM race_day_figures($1, $2)',
});

/** Metrics of race-day messages. Pending messages are read from the log at a scrape, not from the queue. */
@Injectable()
export class RaceDayMetrics implements OnModuleInit {
  readonly received = this.metrics.counter({
    name: 'startline_race_day_received_total',
    help: 'Race-day messages stored, by source: TIMING, or RACE_DAY for updates by organizers.',
    labelNames: ['source'],
  });
  readonly applied = this.metrics.counter({
    name: 'startline_race_day_applied_total',
    help: 'Race-day messages processed; a message that waited for its participant is counted again.',
  });

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    for (const source of ['TIMING', 'RACE_DAY']) this.received.inc({ source }, 0);
    this.metrics.ask('race-day', {
      gauges: {
        startline_race_day_lag_seconds: {
          help: 'Age of the oldest race-day message that is not applied yet; 0 if all are applied.',
        },
        startline_race_day_pending: {
          help: `Race-day messages that are not applied yet; at most ${MOST} are counted.`,
        },
        startline_race_day_unidentified: {
          help: `Race-day messages that wait for an unknown participant; at most ${MOST} are counted.`,
        },
      },
      ask: async () => {
        // Not prepared: the plan must match the current size of the table.
        const found = await this.database.everywhere((on) => READ.rows(on, [ORGANIZATIONS, MOST]));
        const sum = (of: 'pending' | 'waiting') => found.reduce((total, each) => total + each[of], 0);
        return [
          { gauge: 'startline_race_day_lag_seconds', value: Math.max(...found.map(({ lag }) => lag)) },
          { gauge: 'startline_race_day_pending', value: sum('pending') },
          { gauge: 'startline_race_day_unidentified', value: sum('waiting') },
        ];
      },
    });
  }
}

@Module({ providers: [RaceDayMetrics], exports: [RaceDayMetrics] })
export class RaceDayMetricsModule {}
