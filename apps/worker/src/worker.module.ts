import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, type Settings } from '#platform/config';
import { DatabaseModule, workerConnections } from '#platform/database';
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
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.of(settings),
        DatabaseModule.forRoot({
          ...workerConnections(settings),
          poolSize: settings.WORKER_POOL_SIZE,
          share: true,
        }),
        OperationsModule.of(logs),
        JobsModule.forWorker(),
        ...WORK,
      ],
    };
  }
}
