import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, string | number>;
  /** The process that sent it. */
  service: string;
}

export interface OtlpReceiver {
  url: string;
  spans: SentSpan[];
  /** As OTLP writes them, with the service that sent them. */
  metrics: any[];
  /** Unchanged. */
  bodies: string[];
  close(): Promise<void>;
}

const valuesOf = (attributes: any[] = []): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );

/** An OpenTelemetry collector that accepts OTLP over HTTP. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: SentSpan[] = [];
  const metrics: any[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/v1/metrics') {
      bodies.push(body);
      for (const { resource, scopeMetrics } of JSON.parse(body).resourceMetrics) {
        const service = valuesOf(resource.attributes)['service.name'];
        metrics.push(...scopeMetrics[0].metrics.map((metric: any) => ({ ...metric, service })));
      }
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    bodies.push(body);
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans)
      for (const span of scopeSpans.flatMap((scope: any) => scope.spans))
        spans.push({
          ...span,
          attributes: valuesOf(span.attributes),
          service: valuesOf(resource.attributes)['service.name'],
        });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    bodies,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
