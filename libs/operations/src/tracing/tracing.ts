import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { SETTINGS, type Settings } from '#libs/config';
import { Logs } from '../logs/logs';

/** The end of a process does not wait longer for a collector that is away. */
const EXPORT_MS = 5_000;

/** The SDK reports an error as JSON with its stack and all that hangs on it. */
const reasonIn = (text: string): string => /"message":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200);

/**
 * Traces go to OTEL_EXPORTER_OTLP_ENDPOINT. Where that is unset the SDK is not even loaded, and a request pays for
 * one comparison.
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
    // By the trace's id: every process decides alike, and a client can leave a trace out but not force one in.
    const ratio = new sdk.TraceIdRatioBasedSampler(share);
    this.provider = new sdk.TracerProvider({
      resource: resourceFromAttributes({ 'service.name': `startline-${this.logs.process}` }),
      sampler: new sdk.ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
      spanProcessors: [
        new sdk.BatchSpanProcessor({
          exporter: new OTLPTraceExporter({
            url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
            timeoutMillis: EXPORT_MS,
          }),
        }),
      ],
    });
    trace.setGlobalTracerProvider(this.provider);
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  }

  /** What is not sent by then is lost, and nobody waits for it. */
  async onApplicationShutdown(): Promise<void> {
    await this.provider?.shutdown().catch(() => {});
  }

  get isOn(): boolean {
    return this.provider !== undefined;
  }
}
