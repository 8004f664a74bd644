import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, IMPORT_OUTCOMES, statement } from '#platform/database';
import { Metrics } from '#platform/process';
import { IMPORTS } from './definitions';
import type { Failure } from './failures';

/** The most jobs that are counted. */
const MOST = 10_000;

/** The label of a transaction that is repeated. */
const REASONS: Record<Failure, string> = {
  RETRY: 'conflict',
  LOCK_TIMEOUT: 'lock',
  SLOW: 'slow',
  UNAVAILABLE: 'database',
  CONNECTION_CLOSED: 'connection',
  CONNECTION_LOST: 'connection',
  ROW: 'row',
};

const READ = statement({
  parameters: ['int'],
  columns: { status: 'text', jobs: 'int', age: 'float8' },
  sql: 'SELECT * FROM open_import_figures($1)',
});

/** Metrics of imports. Open imports are read from the rows at a scrape, not from the queue. */
@Injectable()
export class ImportMetrics implements OnModuleInit {
  readonly accepted = this.metrics.counter({
    name: 'startline_imports_accepted_total',
    help: 'Imports accepted, by surface.',
    labelNames: ['surface'],
  });
  readonly finished = this.metrics.counter({
    name: 'startline_imports_finished_total',
    help: 'Finished imports, by surface and status: COMPLETED, or FAILED as a whole.',
    labelNames: ['surface', 'status'],
  });
  readonly seconds = this.metrics.histogram({
    name: 'startline_import_seconds',
    help: 'Time from the acceptance of an import to its end, by surface.',
    labelNames: ['surface'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
  });
  readonly rows = this.metrics.counter({
    name: 'startline_import_rows_total',
    help: 'Rows of imports with an outcome, by surface and outcome; dry runs are not counted.',
    labelNames: ['surface', 'outcome'],
  });
  readonly rowErrors = this.metrics.counter({
    name: 'startline_import_row_errors_total',
    help: 'Rows of imports that failed, by surface and code; INTERNAL is a defect of Startline.',
    labelNames: ['surface', 'code'],
  });

  readonly retries = this.metrics.counter({
    name: 'startline_import_retries_total',
    help: 'Transactions of imports that were rolled back, by reason; their rows are processed again.',
    labelNames: ['reason'],
  });

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  readonly onRetry = (failure: Failure): void => this.retries.inc({ reason: REASONS[failure] });

  onModuleInit(): void {
    // Initializes the series, so that `rate()` includes the first event.
    for (const surface of Object.keys(IMPORTS)) {
      this.accepted.inc({ surface }, 0);
      for (const status of ['COMPLETED', 'FAILED']) this.finished.inc({ surface, status }, 0);
      for (const outcome of IMPORT_OUTCOMES) this.rows.inc({ surface, outcome }, 0);
      this.rowErrors.inc({ surface, code: 'INTERNAL' }, 0);
    }
    for (const reason of new Set(Object.values(REASONS))) this.retries.inc({ reason }, 0);
    this.metrics.ask('imports', {
      gauges: {
        startline_imports_open: {
          help: `Unfinished imports, by status; at most ${MOST} are counted.`,
          labels: ['status'],
        },
        startline_imports_oldest_seconds: {
          help: 'Age of the oldest unfinished import, by status; 0 if there is none.',
          labels: ['status'],
        },
      },
      ask: async () => {
        // Not prepared: the plan must match the current size of the table.
        const open = await this.database.everywhere((on) => READ.rows(on, [MOST]));
        return ['QUEUED', 'RUNNING'].flatMap((status) => {
          const such = open.filter((one) => one.status === status);
          const jobs = such.reduce((sum, one) => sum + one.jobs, 0);
          const age = Math.max(0, ...such.map((one) => one.age));
          const labels = { status };
          return [
            { gauge: 'startline_imports_open', labels, value: jobs },
            { gauge: 'startline_imports_oldest_seconds', labels, value: age },
          ];
        });
      },
    });
  }
}
