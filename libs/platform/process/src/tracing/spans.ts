import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export const TRACER = 'startline';

interface SpanOptions {
  kind?: SpanKind;
  /** Ids, names and counts of the platform, never input. */
  attributes?: Attributes;
  /** The parent; the current span by default. */
  parent?: Context;
}

/** Runs `work` in a span. Without tracing, only runs `work`. */
export async function inSpan<T>(
  name: string,
  { kind, attributes, parent = context.active() }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = trace.getTracer(TRACER).startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Records only the code or type of an error, because messages can contain data of rows and requests. */
function fail(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: unknown };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The current span as a W3C `traceparent`; `undefined` without tracing. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/**
 * The context of a `traceparent`. `tracestate` and `baggage` are ignored, because they can contain any text.
 */
export const continuing = (traceparent: unknown): Context =>
  typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
