import { type ExecutionContext, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, REDIS, RedisModule } from '#platform/database';
import type { OperationDeclaration } from '../operation-declaration';
import { requestOf } from '../request';
import { limitsOf, WINDOW_MS } from './limits';
import { PostgresRateStore } from './postgres-rate-store';
import { counterUse, RateCounts } from './rate-counts';
import { RateHeaders } from './rate-headers';
import { RedisRateStore } from './redis-rate-store';

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
  providers: [RateHeaders],
  exports: [RateHeaders, ThrottlerModule],
})
export class RateLimitsModule {}
