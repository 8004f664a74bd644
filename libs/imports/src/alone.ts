import { NestFactory } from '@nestjs/core';
import { run } from '#libs/operations';
import { AloneModule } from './alone.module';

/** The process of one import job that ended another process. It ends with the worker that started it. */
void run('worker', (settings, logs) =>
  NestFactory.createApplicationContext(AloneModule.of(settings), { logger: logs, abortOnError: false }),
);
