import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ConfigModule, SETTINGS, type Settings } from '#platform/config';
import { DatabaseModule, workerConnections } from '#platform/database';
import { Attempts } from './attempts';
import { ImportLocks } from './import-locks';
import { JobRun, type Verdict } from './job-run';
import type { IsolatedOrder, IsolatedReport } from './separate-process';

/** Longer than IMPORT_TURN_MS, because the process takes seconds to start. */
const TURN_MS = 10_000;

const report = (what: IsolatedReport) => process.connected && process.send?.(what);

/** Processes jobs for the worker, one at a time, and reports their results. */
@Injectable()
class Isolated implements OnApplicationBootstrap, OnApplicationShutdown {
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly locks: ImportLocks,
    private readonly jobs: JobRun,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    process.on('message', (order: IsolatedOrder) => {
      this.running = this.work(order).then(
        (verdict) => report({ verdict }),
        ({ message }: Error) => report({ failure: message }),
      );
    });
    report({ ready: true });
    // The worker kills a process that is silent for SILENT_MS. A slow statement does not stop this timer; a blocked event loop does.
    setInterval(() => report({ alive: true }), this.settings.SILENT_MS / 3).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running;
  }

  private async work({ organizationId, jobId, requestId }: IsolatedOrder): Promise<Verdict> {
    const until = performance.now() + TURN_MS;
    const held = await this.locks.begin(organizationId, this.settings.SILENT_MS);
    try {
      if (!(await held.take(jobId))) return 'LOCKED_ELSEWHERE';
      const onDone: Parameters<JobRun['run']>[2]['onDone'] = (done, enqueuesRaceDay) =>
        report({ done, enqueuesRaceDay });
      return await this.jobs.run(
        held.connection,
        { organizationId, jobId },
        { until, isIsolated: true, requestId, onDone, onRetry: (retry) => report({ retry }) },
      );
    } finally {
      await held.connection.release();
    }
  }
}

@Module({})
export class IsolatedModule {
  static of(settings: Settings): DynamicModule {
    return {
      module: IsolatedModule,
      imports: [
        ConfigModule.of(settings),
        DatabaseModule.forRoot({ ...workerConnections(settings), poolSize: 2 }),
      ],
      providers: [ImportLocks, Attempts, JobRun, Isolated],
    };
  }
}
