import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/database';
import { Metrics } from '#libs/operations';

/** Beyond it messages are no longer counted: there is too much of them either way. */
const MOST = 10_000;
/** Organizations whose oldest message is looked at. */
const ORGANIZATIONS = 1_000;

/**
 * From one organization's first pending message to the next one's. All of it is in the order of an index, so that the
 * planner takes it even where it believes that many messages are pending: the log has millions that are not.
 */
const BACKLOG = /* sql */ `
  WITH RECURSIVE first AS (
    (SELECT organization_id, received_at, 1 AS place FROM race_day_log
      WHERE applied_at IS NULL ORDER BY organization_id, seq LIMIT 1)
    UNION ALL
    SELECT following.organization_id, following.received_at, first.place + 1
    FROM first CROSS JOIN LATERAL (
      SELECT l.organization_id, l.received_at FROM race_day_log l
      WHERE l.applied_at IS NULL AND l.organization_id > first.organization_id
      ORDER BY l.organization_id, l.seq LIMIT 1) following
    WHERE first.place < ${ORGANIZATIONS}
  )
  SELECT
    coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(received_at))), 0)::float8 AS lag,
    (SELECT count(*) FROM (SELECT FROM race_day_log WHERE applied_at IS NULL
      ORDER BY organization_id, seq LIMIT ${MOST}) pending)::int AS pending,
    (SELECT count(*) FROM (SELECT FROM race_day_log WHERE waiting_for IS NOT NULL
      ORDER BY organization_id, waiting_for LIMIT ${MOST}) waiting)::int AS waiting
  FROM first
`;

/** Counts race-day messages, and reads at a scrape how many wait and how long: from the log, not from the queue. */
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
        // Not prepared: the plan must be of the table as it is now.
        const [{ lag, pending, waiting }] = await this.database.dataSource.query(BACKLOG);
        return [
          { gauge: 'startline_race_day_lag_seconds', value: lag },
          { gauge: 'startline_race_day_pending', value: pending },
          { gauge: 'startline_race_day_unidentified', value: waiting },
        ];
      },
    });
  }
}

@Module({ providers: [RaceDayMetrics], exports: [RaceDayMetrics] })
export class RaceDayMetricsModule {}
