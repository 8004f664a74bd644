import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Replica, Watermark } from '#platform/database';
import { Metrics, Shutdown } from '#platform/process';
import { Sending } from './sending';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of requests, and of the freshness of lists. */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  private readonly requests = this.metrics.histogram({
    name: 'startline_request_seconds',
    help: 'Duration of requests from the first byte read to the last byte written, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
  });
  private readonly refusals = this.metrics.counter({
    name: 'startline_rate_limit_refusals_total',
    help: 'Requests that were answered 429, by operation.',
    labelNames: ['operation'],
  });
  readonly closed = this.metrics.counter({
    name: 'startline_connections_closed_total',
    help: 'Connections that were closed because there were more than CONNECTIONS_LIMIT.',
  });

  constructor(
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly watermark: Watermark,
    private readonly replica: Replica,
    private readonly sending: Sending,
  ) {}

  onModuleInit(): void {
    this.metrics.watch(
      'startline_requests_under_way',
      'Requests in progress.',
      () => this.shutdown.requestsUnderWay,
    );
    this.metrics.watch(
      'startline_unsent_bytes',
      'Bytes of responses that wait until their clients read.',
      () => this.sending.unsent.total,
    );
    this.metrics.watch(
      'startline_watermark_lag_seconds',
      'Lag of lists by updatedAt behind the clock.',
      () => this.watermark.lagMs() / 1000,
    );
    if (!this.replica.isConfigured) return;
    this.metrics.watch(
      'startline_replica_serving',
      '1 if the replica served the last list that could use it, 0 if it is unreachable or its lag is too large.',
      () => (this.replica.isServing ? 1 : 0),
    );
  }

  record(operation: string, status: number, seconds: number): void {
    this.requests.observe({ operation, status }, seconds);
    if (status === 429) this.refusals.inc({ operation });
  }
}
