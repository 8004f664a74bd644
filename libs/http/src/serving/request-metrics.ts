import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Replica, Watermark } from '#libs/database';
import { Metrics, Shutdown } from '#libs/operations';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Requests by operation and status, and what a process that serves lists knows of their freshness. */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  private readonly requests = this.metrics.histogram({
    name: 'startline_request_seconds',
    help: 'Time from the first byte read to the last written, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
  });
  private readonly refusals = this.metrics.counter({
    name: 'startline_rate_limit_refusals_total',
    help: 'Requests answered 429, by operation.',
    labelNames: ['operation'],
  });

  constructor(
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly watermark: Watermark,
    private readonly replica: Replica,
  ) {}

  onModuleInit(): void {
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

  record(operation: string, status: number, seconds: number): void {
    this.requests.observe({ operation, status }, seconds);
    if (status === 429) this.refusals.inc({ operation });
  }
}
