import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database } from '#platform/database';
import { AnnouncedWorkers } from './announced-workers';
import { Announcement } from './announcement';
import { QUEUE_BACKEND, type QueueBackend, queueBackend } from './backend';
import { Activity } from './fleet/activity';
import { Fleet } from './fleet/fleet';
import { JobProducer } from './job-producer';
import { LoggedQueue } from './log-errors';
import { QueueMetrics } from './queue-metrics';
import { QUEUE_CONNECTIONS, QUEUE_NAMES } from './queues';
import { Workers } from './workers';

BullModule.queueClass = LoggedQueue;

@Global()
@Module({
  providers: [
    {
      provide: QUEUE_BACKEND,
      // The database must be available first: a queue whose first connection fails never recovers.
      inject: [SETTINGS, Database],
      useFactory: (settings: Settings) => queueBackend(settings, QUEUE_CONNECTIONS),
    },
  ],
  exports: [QUEUE_BACKEND],
})
class QueueBackendModule {}

/** Adds jobs and, in the worker, processes them. Queues are closed before the connections of the backend. */
@Global()
@Module({})
export class JobsModule implements OnApplicationShutdown {
  constructor(@Inject(QUEUE_BACKEND) private readonly backend: QueueBackend) {}

  /** For the api: adds jobs. */
  static forProducer(): DynamicModule {
    return JobsModule.of([JobProducer]);
  }

  /** For the worker: adds jobs, and processes them after `Workers.start`. */
  static forWorker(): DynamicModule {
    return JobsModule.of([JobProducer, Workers, Announcement, Activity]);
  }

  private static of(providers: NonNullable<DynamicModule['providers']>): DynamicModule {
    return {
      module: JobsModule,
      imports: [
        QueueBackendModule,
        BullModule.forRootAsync({
          imports: [QueueBackendModule],
          inject: [QUEUE_BACKEND],
          useFactory: ({ producer, prefix }: QueueBackend) => ({
            connection: producer,
            ...(prefix && { prefix }),
          }),
        }),
        BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
      ],
      providers: [...providers, QueueMetrics, AnnouncedWorkers, Fleet],
      exports: providers as never,
    };
  }

  onApplicationShutdown(): Promise<void> {
    return this.backend.close();
  }
}
