import { NestFactory } from '@nestjs/core';
import { run } from '#libs/operations';
import { AloneModule } from './alone.module';

/** The separate process of an import job that crashed a worker. It ends with the worker that started it. */
void run('worker', (settings, logs) =>
  NestFactory.createApplicationContext(AloneModule.of(settings), { logger: logs, abortOnError: false }),
);
