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
  /** Ids, names and counts of ours: never what somebody sent. */
  attributes?: Attributes;
  /** What it belongs to; else to what is under way. */
  parent?: Context;
}

/** Runs `work` as a step of the trace that is under way. Without tracing it runs, and nothing else happens. */
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

/** Messages of errors quote rows and requests, so that a span tells an error's code or type alone. */
function fail(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: unknown };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The step that is under way, as W3C's `traceparent`; undefined without tracing. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/**
 * What goes on where somebody else's step left off. The rest of what they may send along (`tracestate`, `baggage`)
 * is any text, and is left behind.
 */
export const continuing = (traceparent: unknown): Context =>
  typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
