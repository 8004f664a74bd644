import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { SETTINGS, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import { REDIS, RedisModule } from '#libs/redis';
import type { RateClass } from '../operation-declaration';
import { PostgresRateStore } from './postgres-rate-store';
import { RateCounts } from './rate-counts';
import { RedisRateStore } from './redis-rate-store';

/** A window opens with a key's first request to an operation, and lasts a minute. */
const WINDOW_MS = 60_000;

const limitsOf = (settings: Settings): Record<RateClass, number> => ({
  import: settings.RATE_IMPORT,
  registrationStatus: settings.RATE_REGISTRATION_STATUS,
  timing: settings.RATE_TIMING,
  wide: settings.RATE_WIDE,
});

@Module({
  imports: [
    RedisModule,
    ThrottlerModule.forRootAsync({
      inject: [SETTINGS, Database, REDIS],
      useFactory: (settings: Settings, database: Database, redis: Redis | undefined) => {
        const postgres = new PostgresRateStore(database);
        return {
          throttlers: Object.entries(limitsOf(settings)).map(([name, limit]) => ({
            name,
            limit,
            ttl: WINDOW_MS,
          })),
          storage: new RateCounts(redis ? new RedisRateStore(redis, postgres) : postgres),
        };
      },
    }),
  ],
  exports: [ThrottlerModule],
})
export class RateLimitsModule {}
