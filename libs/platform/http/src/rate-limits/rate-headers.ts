import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { InjectThrottlerStorage } from '@nestjs/throttler';
import type { Caller } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import type { OperationDeclaration } from '../operation-declaration';
import { limitsOf, WINDOW_MS } from './limits';
import type { RateCounts } from './rate-counts';

/** The throttler sets them on permitted requests only. */
export function setRateHeaders(
  response: ServerResponse,
  { limit, remaining, seconds }: { limit: number; remaining: number; seconds: number },
): void {
  response.setHeader('x-ratelimit-limit', limit);
  response.setHeader('x-ratelimit-remaining', remaining);
  response.setHeader('x-ratelimit-reset', seconds);
}

/** The headers of requests that are refused before they count. */
@Injectable()
export class RateHeaders {
  private readonly limits = limitsOf(this.settings);

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectThrottlerStorage() private readonly counts: RateCounts,
  ) {}

  /** @param caller absent if the request has no valid key: then nothing is used */
  set(response: ServerResponse, { name, rate }: OperationDeclaration, caller?: Caller): void {
    const limit = this.limits[rate];
    const { used, resetMs } = (caller && this.counts.standing(caller.keyId, name)) ?? {
      used: 0,
      resetMs: WINDOW_MS,
    };
    setRateHeaders(response, {
      limit,
      remaining: Math.max(0, limit - used),
      seconds: Math.ceil(resetMs / 1000),
    });
  }
}
