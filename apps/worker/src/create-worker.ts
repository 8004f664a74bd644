import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Settings } from '#platform/config';
import { Logs } from '#platform/process';
import { WorkerModule } from './worker.module';

/** Creates and starts the worker, for `main` and tests. */
export const createWorker = (
  settings: Settings,
  logs = new Logs(settings, 'worker'),
): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(WorkerModule.of(settings, logs), {
    logger: settings.LOG_LEVEL === 'silent' ? false : logs,
    abortOnError: false,
  });
