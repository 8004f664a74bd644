import { type ExecutionContext, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, REDIS, RedisModule } from '#platform/database';
import type { OperationDeclaration, RateClass } from '../operation-declaration';
import { requestOf } from '../request';
import { PostgresRateStore } from './postgres-rate-store';
import { counterUse, RateCounts } from './rate-counts';
import { RedisRateStore } from './redis-rate-store';

/** A window starts with the first request of a key to an operation and lasts a minute. */
const WINDOW_MS = 60_000;

const limitsOf = (settings: Settings): Record<RateClass, number> => ({
  import: settings.RATE_IMPORT,
  registrationStatus: settings.RATE_REGISTRATION_STATUS,
  timing: settings.RATE_TIMING,
  signIn: settings.RATE_SIGN_IN,
  webhook: settings.RATE_WEBHOOK,
  export: settings.RATE_EXPORT,
  wide: settings.RATE_WIDE,
});

/** The guard skips routes without an operation. */
const operationOf = (context: ExecutionContext) => requestOf(context).operation as OperationDeclaration;

/** A page is never larger; a request for more returns 400. */
const LARGEST_PAGE = 500;

/** In the wide allowances, a page of more than 100 items counts as its hundreds. */
function weightOf({ rate }: OperationDeclaration, query: Record<string, unknown>): number {
  const size = Number(query['page[size]'] ?? query.pageSize);
  return rate === 'wide' && size > 100 ? Math.ceil(Math.min(size, LARGEST_PAGE) / 100) : 1;
}

@Module({
  imports: [
    RedisModule,
    ThrottlerModule.forRootAsync({
      inject: [SETTINGS, Database, REDIS],
      useFactory: (settings: Settings, database: Database, redis: Redis | undefined) => {
        const postgres = new PostgresRateStore(database);
        const limits = limitsOf(settings);
        return {
          throttlers: [
            {
              limit: (context) => limits[operationOf(context).rate],
              ttl: WINDOW_MS,
              getTracker: (_request, context) => requestOf(context).caller.keyId,
              generateKey: (context, keyId) => {
                const operation = operationOf(context);
                const { caller, query } = requestOf(context);
                const key = { organizationId: caller.organizationId, keyId, operation: operation.name };
                return counterUse(key, operation.rate, weightOf(operation, query));
              },
            },
          ],
          storage: new RateCounts(redis ? new RedisRateStore(redis, postgres) : postgres),
        };
      },
    }),
  ],
  exports: [ThrottlerModule],
})
export class RateLimitsModule {}
