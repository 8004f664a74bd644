import { NestFactory } from '@nestjs/core';
import { run } from '#platform/process';
import { IsolatedModule } from './isolated.module';

/** The separate process of an import job that crashed a worker. It ends with the worker that started it. */
void run('import', (settings, logs) =>
  NestFactory.createApplicationContext(IsolatedModule.of(settings), { logger: logs, abortOnError: false }),
);
