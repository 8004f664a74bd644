import { type ExecutionContext, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { SETTINGS, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import { REDIS, RedisModule } from '#libs/redis';
import type { OperationDeclaration, RateClass } from '../operation-declaration';
import { requestOf } from '../request';
import { PostgresRateStore } from './postgres-rate-store';
import { counterName, RateCounts } from './rate-counts';
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
                const { name, rate } = operationOf(context);
                const { organizationId } = requestOf(context).caller;
                return counterName({ organizationId, keyId, operation: name }, rate);
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
