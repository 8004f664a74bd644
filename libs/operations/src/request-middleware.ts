import type { Server, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Response } from 'express';
import type { Settings } from '#libs/config';
import { newId } from '#libs/database';
import type { ApiRequest } from '#libs/http';
import { Logs } from './logs/logs';
import { Metrics } from './metrics/metrics';
import { securityHeaders } from './security-headers';
import { Shutdown } from './shutdown/shutdown';
import { limitSlowClients, refuseBrokenRequests } from './slow-clients';
import { Tracing } from './tracing/tracing';

/** Ids that a caller may choose: they go into logs and headers as they are. */
const SANE_ID = /^[\w.:-]{1,64}$/;

/** Everything that happens to every request outside its route, in one middleware: each costs each request. */
@Injectable()
export class RequestMiddleware {
  private readonly headers = securityHeaders();

  constructor(
    @Inject(Logs) private readonly logs: Logs,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly tracing: Tracing,
  ) {}

  readonly enter = (request: ApiRequest, response: Response, next: NextFunction): void => {
    const start = performance.now();
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && SANE_ID.test(given) ? given : newId();
    response.setHeader('x-request-id', request.id);
    for (const [name, value] of this.headers) response.setHeader(name, value);
    if (request.headers.authorization) response.setHeader('cache-control', 'no-store');
    this.shutdown.enter(response);
    response.once('close', () => {
      this.shutdown.leave(response);
      this.record(request, response, performance.now() - start, span?.spanContext().traceId);
      this.tracing.leave(span, request, response.statusCode);
    });
    const span = this.tracing.enter(request, next);
  };

  /** Neither the URL, which may hold emails and ids, nor anything that was sent is written down. */
  private record(request: ApiRequest, response: ServerResponse, ms: number, traceId?: string): void {
    const { operation, caller } = request;
    this.metrics.request(operation?.name ?? 'none', response.statusCode, ms / 1000);
    // Probes and pages come all day long; nobody looks for them.
    const level = operation || response.statusCode >= 400 ? 'info' : 'debug';
    this.logs.lines[level](
      {
        requestId: request.id,
        traceId,
        operation: operation?.name,
        method: request.method,
        route: request.route?.path,
        status: response.statusCode,
        ms: Math.round(ms * 100) / 100,
        organizationId: caller?.organizationId,
        keyId: caller?.keyId,
        ...(!response.writableFinished && { aborted: true }),
      },
      'request',
    );
  }
}

/** Puts the door before every route, and slow or broken clients out of it. */
export function useRequestMiddleware(app: NestExpressApplication, settings: Settings): void {
  app.use(app.get(RequestMiddleware).enter);
  const server: Server = app.getHttpServer();
  limitSlowClients(server, settings);
  refuseBrokenRequests(server);
}
