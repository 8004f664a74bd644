import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { Database, RedisModule } from '#platform/database';
import { PATIENCE_MS, Readiness } from './health/readiness';
import { Logs } from './logs/logs';
import { Metrics } from './metrics/metrics';
import { MetricsExport } from './metrics/metrics-export';
import { OperationsServer } from './operations-server';
import { Shutdown } from './shutdown/shutdown';
import { Tracing } from './tracing/tracing';

/** Logs, metrics, traces, readiness and shutdown. */
@Module({})
export class OperationsModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
    private readonly readiness: Readiness,
  ) {}

  static of(logs: Logs): DynamicModule {
    return {
      module: OperationsModule,
      global: true,
      imports: [RedisModule],
      providers: [
        { provide: Logs, useValue: logs },
        Metrics,
        Shutdown,
        Readiness,
        OperationsServer,
        Tracing,
        MetricsExport,
      ],
      exports: [Logs, Metrics, Shutdown, Readiness, OperationsServer, Tracing],
    };
  }

  onModuleInit(): void {
    const { pool } = this.database;
    this.metrics.watch('startline_pool_size', 'The most connections of the pool.', () => pool.options.max);
    this.metrics.watch('startline_pool_connections', 'Open connections.', () => pool.totalCount);
    this.metrics.watch('startline_pool_idle', 'Idle connections of the pool.', () => pool.idleCount);
    this.metrics.watch(
      'startline_pool_waiting',
      'Requests that wait for a connection.',
      () => this.database.waiting,
    );
    this.metrics.ask('readiness', {
      gauges: {
        startline_ready: { help: '1 if the part of GET /health/ready is ok, else 0.', labels: ['part'] },
      },
      ask: async () =>
        Object.entries((await this.readiness.state()).parts).map(([part, state]) => ({
          gauge: 'startline_ready',
          labels: { part },
          value: state === 'ok' ? 1 : 0,
        })),
      // A part that does not respond is 0, not missing.
      patienceMs: PATIENCE_MS + 500,
    });
  }
}
