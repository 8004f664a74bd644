import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { ShareExceeded } from '#platform/scheduling';
import { ApiError, errors } from '#platform/validation';

import { discardBody } from './bodies/discard-body';
import { NotModified } from './etags/etags';
import { BodyBandwidth } from './guards/body-bandwidth';
import type { JsonAdapter } from './json-adapter';
import type { ApiRequest } from './request';

/** A request can take too long although no other one is processed. */
const STATEMENT_TIMEOUT = '57014';
/** Temporary errors of the system and of PostgreSQL. Nothing was done, or everything was rolled back. */
const NOT_NOW = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  // The server stops, starts, has no free connection, or is in recovery.
  ...['57P01', '57P02', '57P03', '53300', '25006'],
  // Out of memory or disk space, or an I/O error.
  ...['53000', '53100', '53200', '58030'],
  // Statement timeout, lock timeout, or deadlock.
  ...[STATEMENT_TIMEOUT, '55P03', '25P03', '40001', '40P01'],
  ...['08000', '08003', '08006', '08001', '08004'],
  // The organization has moved to another node, where the next request finds it.
  'SL001',
]);
/** Errors of the pool, the driver and TypeORM without codes. */
const CONNECTION_LOST =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client was closed|not queryable|query runner (was )?already released/i;

/** Reading this many bytes is cheaper than a new connection. */
const WORTH_READING = 65_536;

/** Renders every error in the format of docs/interface.md#errors. Unexpected errors are logged; the response has no details. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('api');

  constructor(
    private readonly bandwidth: BodyBandwidth,
    private readonly host: HttpAdapterHost<JsonAdapter>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof NotModified) return void response.status(304).set('etag', error.etag).end();
    const answer = this.answerOf(error, request);
    if (response.headersSent) return void response.destroy();
    // Also if its client has gone.
    request.takeBack?.();
    const text = JSON.stringify(answer.body);
    const type = 'application/json; charset=utf-8';
    response
      .status(answer.status)
      .set({ 'content-type': type, 'content-length': String(Buffer.byteLength(text)), ...answer.headers });
    // Node discards the rest of a small body.
    const { readableEnded, readableDidRead, headers, caller } = request;
    const length = headers['transfer-encoding']
      ? Number.POSITIVE_INFINITY
      : Number(headers['content-length'] ?? 0);
    if (readableEnded || !(readableDidRead || length > WORTH_READING)) return void response.end(text);
    response.setHeader('connection', 'close');
    // Nothing is read for strangers, or to give up an overloaded process's time.
    if (!caller || answer.status >= 500) return void response.end(text);
    response.write(text);
    void discardBody(request, this.bandwidth, caller.organizationId).then(() => response.end());
  }

  private answerOf(error: unknown, request: ApiRequest): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ShareExceeded) return errors.overloaded();
    if (error instanceof HttpException) return this.httpAnswerOf(error, request);
    const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
    const busy = NOT_NOW.has(code) || CONNECTION_LOST.test(message);
    this.logger.error({
      requestId: request.id,
      operation: request.operation?.name,
      code,
      err: busy ? message : error,
    });
    if (code === STATEMENT_TIMEOUT) return errors.tookTooLong();
    return busy
      ? errors.overloaded()
      : new ApiError(
          500,
          'An internal error occurred. If it happens again, contact us with the x-request-id of the response.',
        );
  }

  private httpAnswerOf(error: HttpException, request: ApiRequest): ApiError {
    const status = error.getStatus();
    // Nest throws 400 for a path with malformed percent-encoding. It does not identify a resource, so the response is 404.
    if (status === 400) return errors.noRoute(request.method, request.path);
    if (status !== 404) return new ApiError(status, error.message);
    const methods = this.host.httpAdapter.methodsOf(request.path);
    const isElsewhere = methods.length > 0 && !methods.includes(request.method);
    return isElsewhere
      ? errors.noMethod(request.method, request.path, methods)
      : errors.noRoute(request.method, request.path);
  }
}
