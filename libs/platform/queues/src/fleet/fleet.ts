import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database } from '#platform/database';
import { Metrics, OperationsServer } from '#platform/process';
import { RepeatedTask } from '#platform/scheduling';
import { fleetPage } from './fleet-page';
import { type FleetState, readFleet } from './fleet-state';
import { Held } from './workers-wanted';

/** How often the numbers are read, by each process with METRICS_PORT. */
const EVERY_MS = 2_000;
/** The number falls when a smaller one was enough for this many times WORKERS_DELAY_SECONDS. */
const HELD = 8;

/**
 * How many workers are wanted, and what they do: `GET /workers` and `GET /workers.html` on METRICS_PORT, and metrics. Requests get the last
 * reading, so they cost nothing.
 */
@Injectable()
export class Fleet implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('fleet');
  private held: Held | undefined;
  private state: (FleetState & { workersWanted: number }) | undefined;
  private readonly task = new RepeatedTask(
    EVERY_MS,
    () => this.read(),
    ({ message }) => {
      // An outdated number must not be taken for the current one.
      this.state = undefined;
      this.logger.warn({ message });
    },
  );

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly operations: OperationsServer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.METRICS_PORT === undefined) return;
    const { operations } = this;
    operations.answer('GET /workers', () =>
      this.state
        ? { status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(this.state) }
        : UNKNOWN,
    );
    operations.answer('GET /workers.html', () =>
      this.state ? { status: 200, type: 'text/html; charset=utf-8', body: fleetPage(this.state) } : UNKNOWN,
    );
    this.metrics.ask('fleet', {
      gauges: {
        startline_workers_wanted: { help: 'Workers that finish the open work within WORKERS_DELAY_SECONDS.' },
        startline_open_work: { help: 'Open rows, messages and deliveries, by queue.', labels: ['queue'] },
        startline_open_work_seconds: {
          help: 'How long one worker needs for the open work of a queue, at the measured speed.',
          labels: ['queue'],
        },
      },
      ask: async () => {
        if (!this.state) return [];
        const { workersWanted, work } = this.state;
        return [
          { gauge: 'startline_workers_wanted', value: workersWanted },
          ...work.flatMap(({ queue, units, speed }) => [
            { gauge: 'startline_open_work', labels: { queue }, value: units },
            { gauge: 'startline_open_work_seconds', labels: { queue }, value: units / speed },
          ]),
        ];
      },
    });
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  private async read(): Promise<void> {
    const state = await readFleet(this.database, this.settings);
    const now = performance.now();
    this.held ??= new Held(HELD * this.settings.WORKERS_DELAY_SECONDS * 1_000, state.running, now);
    this.state = { ...state, workersWanted: this.held.next(state.workersWanted, now) };
  }
}

const UNKNOWN = {
  status: 503,
  type: 'text/plain',
  body: 'The database has not answered yet. Try again in a few seconds.\n',
};
