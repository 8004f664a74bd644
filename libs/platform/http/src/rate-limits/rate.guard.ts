import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { errors } from '#platform/validation';
import { type ApiRequest, requestOf } from '../request';

/**
 * Runs after the key guard: refuses a request (429) when the key's allowance for the operation is used up. The package's
 * flow with our storage, key and error; `RateLimitsModule` configures limits per operation.
 */
@Injectable()
export class RateGuard extends ThrottlerGuard {
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return !requestOf(context).operation;
  }

  /** The package sets the rate limit headers on permitted requests only; rejected ones need them too. */
  protected override throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToExpire }: { limit: number; timeToExpire: number },
  ): Promise<void> {
    const response = requestOf(context).res as NonNullable<ApiRequest['res']>;
    response.setHeader('x-ratelimit-limit', limit);
    response.setHeader('x-ratelimit-remaining', 0);
    response.setHeader('x-ratelimit-reset', timeToExpire);
    throw errors.tooMany(timeToExpire);
  }
}
