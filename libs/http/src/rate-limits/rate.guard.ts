import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { errors } from '#libs/errors';
import { type ApiRequest, requestOf } from '../request';

/**
 * After the key: is the key's allowance for this operation used up. The operation's rate class picks the
 * throttler; the package's own way asks every throttler of every route, through six look-ups of metadata each.
 */
@Injectable()
export class RateGuard extends ThrottlerGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { operation, caller, res } = requestOf(context);
    if (!operation) return true;
    const allowance = this.throttlers.find(({ name }) => name === operation.rate);
    const limit = allowance?.limit as number;
    const { totalHits, timeToExpire, isBlocked } = await this.storageService.increment(
      `${caller.keyId}/${operation.name}`,
      allowance?.ttl as number,
      limit,
      0,
      operation.rate,
    );
    const response = res as NonNullable<ApiRequest['res']>;
    response.setHeader('x-ratelimit-limit', limit);
    response.setHeader('x-ratelimit-remaining', Math.max(0, limit - totalHits));
    response.setHeader('x-ratelimit-reset', timeToExpire);
    if (isBlocked) throw errors.tooMany(timeToExpire);
    return true;
  }
}
