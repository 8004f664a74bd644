import type { Server, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Response } from 'express';
import type { Settings } from '#platform/config';
import { newId } from '#platform/database';
import { Logs, Shutdown, Tracing } from '#platform/process';
import { ORGANIZATION_HEADER } from '../guards/staff-cookie';
import type { ApiRequest } from '../request';
import { limitConnections } from './connections';
import { handleInOrder } from './in-order';
import { RequestLog } from './request-log';
import { RequestMetrics } from './request-metrics';
import { endRequestSpan, startRequestSpan } from './request-spans';
import { securityHeaders } from './security-headers';
import { limitSlowClients, refuseBrokenRequests } from './slow-clients';

/** The format of a client's request id, which is written to logs and headers unchanged. */
const SANE_ID = /^[\w.:-]{1,64}$/;

/** Everything that happens to a request outside its route, in a single middleware for performance. */
@Injectable()
export class RequestMiddleware {
  private readonly headers = securityHeaders();

  constructor(
    @Inject(Logs) private readonly logs: Logs,
    private readonly log: RequestLog,
    private readonly metrics: RequestMetrics,
    private readonly shutdown: Shutdown,
    private readonly tracing: Tracing,
  ) {}

  readonly enter = (request: ApiRequest, response: Response, next: NextFunction): void => {
    const start = performance.now();
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && SANE_ID.test(given) ? given : newId();
    response.setHeader('x-request-id', request.id);
    for (const [name, value] of this.headers) response.setHeader(name, value);
    if (request.headers.authorization || request.headers[ORGANIZATION_HEADER])
      response.setHeader('cache-control', 'no-store');
    this.shutdown.enter(response);
    response.once('close', () => {
      this.shutdown.leave(response);
      this.record(request, response, performance.now() - start, span?.spanContext().traceId);
      if (span) endRequestSpan(span, request, response.statusCode);
    });
    const span = this.tracing.isOn ? startRequestSpan(request, next) : void next();
  };

  /** Does not log the URL, which can contain emails and ids, or other input. */
  private record(request: ApiRequest, response: ServerResponse, ms: number, traceId?: string): void {
    const { operation, caller } = request;
    this.metrics.record(operation?.name ?? 'none', response.statusCode, ms / 1000);
    this.log.add(request, response.statusCode, ms);
    // Requests of probes and pages are only logged at debug level.
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

/** Installs the middleware before all routes, and the limits for pipelining, slow and broken clients. */
export function useRequestMiddleware(app: NestExpressApplication, settings: Settings): void {
  app.use(app.get(RequestMiddleware).enter);
  const server: Server = app.getHttpServer();
  handleInOrder(server);
  limitSlowClients(server, settings);
  limitConnections(server, settings.CONNECTIONS_LIMIT, () => app.get(RequestMetrics).closed.inc());
  refuseBrokenRequests(server);
}
