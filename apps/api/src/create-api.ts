import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Settings } from '#platform/config';
import { JsonAdapter, requireDeclaredRoutes, Sending, useRequestMiddleware } from '#platform/http';
import { Logs } from '#platform/process';
import { AppModule } from './app.module';

interface Parts {
  logs?: Logs;
  /** The resource groups to serve; all by default. */
  groups?: Type[];
}

/** Creates the api, for `main` and tests. */
export async function createApi(
  settings: Settings,
  { logs = new Logs(settings, 'api'), groups }: Parts = {},
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.of(settings, logs, groups),
    new JsonAdapter(new Sending(settings)),
    // The guards read bodies.
    { bodyParser: false, logger: settings.LOG_LEVEL === 'silent' ? false : logs, abortOnError: false },
  );
  // Brackets in parameter names are literal: `page[size]` is one name, not an object.
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.set('x-powered-by', false);
  app.set('trust proxy', settings.TRUSTED_PROXIES || false);
  useRequestMiddleware(app, settings);
  requireDeclaredRoutes(app);
  return app;
}
