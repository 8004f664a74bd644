import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, type Settings, SettingsError } from '#platform/config';
import { DatabaseModule } from '#platform/database';
import { type Logs, OperationsModule } from '#platform/process';
import { JobsModule } from '#platform/queues';
import { JobHandlersModule } from './job-handlers';
import { SweeperModule } from './sweeper/sweeper.module';

/** The tasks of the worker, one module each. */
const WORK = [SweeperModule, JobHandlersModule];

@Module({})
export class WorkerModule {
  /** @throws SettingsError if DATABASE_URL is not set */
  static of(settings: Settings, logs: Logs): DynamicModule {
    if (!settings.DATABASE_URL)
      throw new SettingsError('Set DATABASE_URL, or use `npm start`, which runs its own PostgreSQL.');
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.of(settings),
        DatabaseModule.forRoot({
          url: settings.DATABASE_URL,
          applicationName: 'startline worker',
          poolSize: settings.WORKER_POOL_SIZE,
          poolWaitMs: settings.WORKER_STATEMENT_TIMEOUT_MS,
          share: true,
          idleTransactionMs: settings.IDLE_TRANSACTION_MS,
          statementTimeoutMs: settings.WORKER_STATEMENT_TIMEOUT_MS,
          // It serves no lists.
          watermarkMs: 60_000,
          erasureSecret: settings.ERASURE_SECRET,
          heartbeat: { checkMs: settings.NODE_CHECK_MS, timeoutMs: settings.NODE_TIMEOUT_MS },
        }),
        OperationsModule.of(logs),
        JobsModule.forWorker(),
        ...WORK,
      ],
    };
  }
}
