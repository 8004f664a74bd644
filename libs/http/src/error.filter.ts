import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';

import { ApiError, errors } from '#libs/errors';

import { ShareExceeded } from '#libs/fair-share';

import { NotModified } from './etags/etags';
import type { ApiRequest } from './request';

/** Temporary errors of the system and of PostgreSQL. Nothing was done, or everything was rolled back. */
const NOT_NOW = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  // The server stops, starts, has no free connection, or is in recovery.
  ...['57P01', '57P02', '57P03', '53300', '25006'],
  // Out of memory or disk space, or an I/O error.
  ...['53000', '53100', '53200', '58030'],
  // Statement timeout, lock timeout, or deadlock.
  ...['57014', '55P03', '25P03', '40001', '40P01'],
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

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof NotModified) return void response.status(304).set('etag', error.etag).end();
    const answer = this.answerOf(error, request);
    if (response.headersSent) return void response.destroy();
    // Closes the connection instead of reading the rest of a large body; Node discards the rest of a small one.
    const { readableEnded, readableDidRead, headers } = request;
    if (!readableEnded && (readableDidRead || Number(headers['content-length']) > WORTH_READING))
      response.setHeader('connection', 'close');
    response
      .status(answer.status)
      .set({ 'content-type': 'application/json; charset=utf-8', ...answer.headers })
      .end(JSON.stringify(answer.body));
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
    if (status === 404 || status === 400) return errors.noRoute(request.method, request.path);
    return new ApiError(status, error.message);
  }
}
