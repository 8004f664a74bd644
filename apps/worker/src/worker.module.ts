import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, type Settings, SettingsError } from '#libs/config';
import { DatabaseModule } from '#libs/database';
import { JobsModule } from '#libs/jobs';
import { type Logs, OperationsModule } from '#libs/operations';
import { JobHandlersModule } from './job-handlers';
import { MaintenanceModule } from './maintenance/maintenance.module';

/** The tasks of the worker, one module each. */
const WORK = [MaintenanceModule, JobHandlersModule];

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
          idleTransactionMs: settings.IDLE_TRANSACTION_MS,
          statementTimeoutMs: settings.WORKER_STATEMENT_TIMEOUT_MS,
          // It serves no lists.
          watermarkMs: 60_000,
          heartbeat: { checkMs: settings.NODE_CHECK_MS, timeoutMs: settings.NODE_TIMEOUT_MS },
        }),
        OperationsModule.of(logs),
        JobsModule.forWorker(),
        ...WORK,
      ],
    };
  }
}
