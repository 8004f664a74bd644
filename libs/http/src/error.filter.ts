import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';

import { ApiError, errors } from '#libs/errors';

import { ShareExceeded } from '#libs/fair-share';

import type { ApiRequest } from './request';

/** The system's and PostgreSQL's ways to say: not now. Nothing was done, or all of it is rolled back. */
const NOT_NOW = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  // It ends, starts, has no connection left, or was put in recovery behind another.
  ...['57P01', '57P02', '57P03', '53300', '25006'],
  // Its memory or disk is full, or its disk fails.
  ...['53000', '53100', '53200', '58030'],
  // Too slow, waited too long, or stood in another's way.
  ...['57014', '55P03', '25P03', '40001', '40P01'],
  ...['08000', '08003', '08006', '08001', '08004'],
]);
/** The pool, the driver and TypeORM have no codes for theirs. */
const CONNECTION_LOST =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client was closed|not queryable|query runner (was )?already released/i;

/** Bytes that cost less than another connection. */
const WORTH_READING = 65_536;

/** Renders every failure in the contract's one shape. What we did not foresee is logged, and tells nothing. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('api');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const answer = this.answerOf(error, request);
    if (response.headersSent) return void response.destroy();
    // A large body that was refused unread is not worth reading, nor the rest of one that was given up; Node drops
    // what is left of a small one.
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
    // 400 is Nest's word for a path whose percent-encoding is broken: it names nothing.
    if (status === 404 || status === 400) return errors.noRoute(request.method, request.path);
    return new ApiError(status, error.message);
  }
}
