import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { errors } from '#platform/validation';
import { type ApiRequest, requestOf } from '../request';
import { setRateHeaders } from './rate-headers';

/**
 * Runs after the key guard: refuses a request (429) when the key's allowance for the operation is used up. The package's
 * flow with our storage, key and error; `RateLimitsModule` configures limits per operation.
 */
@Injectable()
export class RateGuard extends ThrottlerGuard {
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return !requestOf(context).operation;
  }

  protected override throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToExpire }: { limit: number; timeToExpire: number },
  ): Promise<void> {
    const response = requestOf(context).res as NonNullable<ApiRequest['res']>;
    setRateHeaders(response, { limit, remaining: 0, seconds: timeToExpire });
    throw errors.tooMany(timeToExpire);
  }
}
