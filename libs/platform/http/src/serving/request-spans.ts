import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NextFunction } from 'express';
import { continuing, TRACER } from '#platform/process';
import type { ApiRequest } from '../request';

const SERVER_ERROR = 500;

/** Runs the rest of the request in a span whose parent is the client's `traceparent`. */
export function startRequestSpan(request: ApiRequest, next: NextFunction): Span | undefined {
  const parent = continuing(request.headers.traceparent);
  const span = trace.getTracer(TRACER).startSpan('request', { kind: SpanKind.SERVER }, parent);
  context.with(trace.setSpan(parent, span), next);
  return span.isRecording() ? span : undefined;
}

/** Like the log line, the span contains no URL and no input. */
export function endRequestSpan(
  span: Span,
  { id, operation, method, route }: ApiRequest,
  status: number,
): void {
  if (operation) span.updateName(operation.name);
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    'http.route': route?.path,
    'startline.request_id': id,
  });
  if (status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
