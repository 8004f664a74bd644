import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';
import { SETTINGS, type Settings } from '#platform/config';
import { cannotConnectToRedis } from '../require-database';
import { newRedis } from './new-redis';
import { redisOptions } from './redis-options';

export const REDIS = Symbol('redis');

/** The timeout of the first connection and of every command. */
const WAIT_MS = 1_000;

/** Provides `Redis | undefined`. A process also starts if Redis is unavailable. */
@Global()
@Module({
  providers: [
    {
      provide: REDIS,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => {
        const options = redisOptions(settings);
        return options && connect(settings, options);
      },
    },
  ],
  exports: [REDIS],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis | undefined) {}

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

async function connect(settings: Settings, options: RedisOptions): Promise<Redis> {
  const logger = new Logger('redis');
  const redis = newRedis({
    ...options,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: WAIT_MS,
  });
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.warn(`${cannotConnectToRedis(settings, error)} Reconnecting.`);
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.log('reconnected to Redis');
    away = false;
  });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, WAIT_MS);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return redis;
}
