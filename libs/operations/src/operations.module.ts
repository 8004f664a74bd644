import { type DynamicModule, Inject, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import type { Settings } from '#libs/config';
import { Database, Replica, Watermark } from '#libs/database';
import { RedisModule } from '#libs/redis';
import { HealthController } from './health/health.controller';
import { Readiness } from './health/readiness';
import { Logs } from './logs/logs';
import { Metrics } from './metrics/metrics';
import { MetricsController } from './metrics/metrics.controller';
import { OperationsServer } from './operations-server';
import { RequestMiddleware } from './request-middleware';
import { Shutdown } from './shutdown/shutdown';
import { Tracing } from './tracing/tracing';

/** Logs, metrics, traces, health and the end of a process. */
@Module({})
export class OperationsModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
    private readonly watermark: Watermark,
    private readonly replica: Replica,
    private readonly readiness: Readiness,
    private readonly shutdown: Shutdown,
    @Inject(Logs) private readonly logs: Logs,
  ) {}

  static forApi(settings: Settings, logs: Logs): DynamicModule {
    return {
      ...OperationsModule.forWorker(logs),
      controllers: settings.METRICS_PORT ? [HealthController] : [HealthController, MetricsController],
    };
  }

  static forWorker(logs: Logs): DynamicModule {
    const providers: Provider[] = [
      { provide: Logs, useValue: logs },
      Metrics,
      Shutdown,
      Readiness,
      RequestMiddleware,
      OperationsServer,
      Tracing,
    ];
    return {
      module: OperationsModule,
      global: true,
      imports: [RedisModule],
      providers,
      exports: [Logs, Metrics, Shutdown, Readiness],
    };
  }

  onModuleInit(): void {
    const { pool } = this.database;
    this.metrics.watch('startline_pool_size', 'Connections that there may be.', () => pool.options.max);
    this.metrics.watch('startline_pool_connections', 'Open connections.', () => pool.totalCount);
    this.metrics.watch('startline_pool_idle', 'Open connections that nobody uses.', () => pool.idleCount);
    this.metrics.watch('startline_pool_waiting', 'Requests that wait for one.', () => this.database.waiting);
    this.metrics.ask('readiness', {
      gauges: {
        startline_ready: { help: '1 where a part of GET /health/ready is ok, else 0.', labels: ['part'] },
      },
      ask: async () =>
        Object.entries((await this.readiness.state()).parts).map(([part, state]) => ({
          gauge: 'startline_ready',
          labels: { part },
          value: state === 'ok' ? 1 : 0,
        })),
    });
    // A worker serves no requests and no lists.
    if (this.logs.process === 'worker') return;
    this.metrics.watch(
      'startline_requests_under_way',
      'Requests that have no answer yet.',
      () => this.shutdown.requestsUnderWay,
    );
    this.metrics.watch(
      'startline_watermark_lag_seconds',
      'How far lists by updatedAt lie behind the clock.',
      () => this.watermark.lagMs() / 1000,
    );
    if (!this.replica.isConfigured) return;
    this.metrics.watch(
      'startline_replica_serving',
      '1 where the replica served the last list that it was asked for, 0 where it is away or too far behind.',
      () => (this.replica.isServing ? 1 : 0),
    );
  }
}
