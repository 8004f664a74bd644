import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { SETTINGS, type Settings } from '#platform/config';
import { Logs } from '../logs/logs';
import { otlpUrl } from '../otlp';

/** How long a shutdown waits for an unavailable collector. */
const EXPORT_MS = 5_000;

/** The SDK reports errors as JSON with their stack and all properties. */
const reasonIn = (text: string): string => /"message":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200);

/**
 * Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT. If it is unset, the SDK is not loaded, and a request costs one comparison.
 */
@Injectable()
export class Tracing implements OnModuleInit, OnApplicationShutdown {
  private provider: TracerProvider | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(Logs) private readonly logs: Logs,
  ) {}

  async onModuleInit(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = this.settings;
    if (!endpoint) return;
    const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { W3CTraceContextPropagator }, hooks] =
      await Promise.all([
        import('@opentelemetry/sdk-trace'),
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/resources'),
        import('@opentelemetry/core'),
        import('@opentelemetry/context-async-hooks'),
      ]);
    const warn = (text: string) => this.logs.lines.warn({ context: 'traces', message: reasonIn(text) });
    diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
    // By trace id, so that all processes decide the same. A client can prevent sampling, but not force it.
    const ratio = new sdk.TraceIdRatioBasedSampler(share);
    this.provider = new sdk.TracerProvider({
      resource: resourceFromAttributes({ 'service.name': `startline-${this.logs.process}` }),
      sampler: new sdk.ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
      spanProcessors: [
        new sdk.BatchSpanProcessor({
          exporter: new OTLPTraceExporter({
            url: otlpUrl(endpoint, 'traces'),
            timeoutMillis: EXPORT_MS,
          }),
        }),
      ],
    });
    trace.setGlobalTracerProvider(this.provider);
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  }

  /** Spans that are not sent by then are lost. */
  async onApplicationShutdown(): Promise<void> {
    await this.provider?.shutdown().catch(() => {});
  }

  get isOn(): boolean {
    return this.provider !== undefined;
  }
}
