import { hostname } from 'node:os';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { MetricObjectWithValues, MetricValueWithName } from 'prom-client';
import { releaseVersion, SETTINGS, type Settings } from '#platform/config';
import { Logs } from '../logs/logs';
import { otlpUrl } from '../otlp';
import { Metrics } from './metrics';

type Measured = MetricObjectWithValues<MetricValueWithName<string>>;

const SEND_MS = 5_000;
/** OTLP's AGGREGATION_TEMPORALITY_CUMULATIVE. */
const CUMULATIVE = 2;

/**
 * Sends the metrics to OTEL_EXPORTER_OTLP_ENDPOINT, as OTLP in JSON over HTTP: there is no maintained bridge from
 * prom-client. A report that is lost is not sent again, because the next one has the sums since the start.
 */
@Injectable()
export class MetricsExport implements OnModuleInit, OnModuleDestroy {
  private readonly startNanos = nanos(Date.now());
  private readonly version = releaseVersion();
  private timer: NodeJS.Timeout | undefined;
  private send = async () => {};
  private failed = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(Logs) private readonly logs: Logs,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRIC_EXPORT_INTERVAL: everyMs } = this.settings;
    if (!endpoint) return;
    const url = otlpUrl(endpoint, 'metrics');
    this.send = () => this.sendTo(url);
    this.timer = setInterval(() => void this.send(), everyMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.send();
  }

  private async sendTo(url: string): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headersOf(process.env.OTEL_EXPORTER_OTLP_HEADERS), 'content-type': 'application/json' },
        body: JSON.stringify(this.report(await this.metrics.values())),
        signal: AbortSignal.timeout(SEND_MS),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
      this.failed = false;
    } catch (error) {
      if (!this.failed) this.logs.lines.warn({ context: 'metrics', message: (error as Error).message });
      this.failed = true;
    }
  }

  private report(metrics: Measured[]): object {
    const resource = attributesOf({
      'service.name': `startline-${this.logs.process}`,
      'service.version': this.version,
      'service.instance.id': `${hostname()}:${process.pid}`,
    });
    const times = { startTimeUnixNano: this.startNanos, timeUnixNano: nanos(Date.now()) };
    const sent = metrics.map((metric) => ({
      name: metric.name,
      description: metric.help,
      ...dataOf(metric, times),
    }));
    return {
      resourceMetrics: [
        {
          resource: { attributes: resource },
          scopeMetrics: [{ scope: { name: 'startline' }, metrics: sent }],
        },
      ],
    };
  }
}

const nanos = (ms: number): string => `${ms}000000`;

const attributesOf = (labels: Partial<Record<string, string | number>>) =>
  Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: String(value) } }));

function dataOf({ type, values }: Measured, times: object): object {
  if (String(type) === 'histogram')
    return { histogram: { aggregationTemporality: CUMULATIVE, dataPoints: histogramsOf(values, times) } };
  const dataPoints = values.map(({ value, labels }) => ({
    ...times,
    attributes: attributesOf(labels),
    asDouble: value,
  }));
  return String(type) === 'counter'
    ? { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
    : { gauge: { dataPoints } };
}

/** Prometheus counts all values up to a bound; OTLP counts those of each bucket. */
function histogramsOf(values: MetricValueWithName<string>[], times: object): object[] {
  const series = new Map<string, MetricValueWithName<string>[]>();
  for (const value of values) {
    const { le: _, ...labels } = value.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), value]);
  }
  return [...series].map(([labels, points]) => {
    const buckets = points.filter(({ labels: { le } }) => le !== undefined);
    const total = (suffix: string) =>
      points.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
    return {
      ...times,
      attributes: attributesOf(JSON.parse(labels)),
      count: String(total('_count')),
      sum: total('_sum'),
      explicitBounds: buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite),
      bucketCounts: buckets.map(({ value }, i) => String(value - (buckets[i - 1]?.value ?? 0))),
    };
  });
}

/** `name=value`, comma separated, with the values encoded as in URLs, as the SDK of traces reads it. */
const headersOf = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
  );
