import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Settings } from '#libs/config';
import { JsonAdapter, requireDeclaredRoutes } from '#libs/http';
import { AppModule } from './app.module';

/** The api, ready to listen. Tests and `main` build it alike. */
export async function createApi(settings: Settings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(settings), new JsonAdapter(), {
    // The guards decide whether a body is read at all.
    bodyParser: false,
    logger: settings.LOG_LEVEL === 'silent' ? false : ['fatal', 'error', 'warn', 'log'],
  });
  // Brackets in parameter names are literal: `page[size]` is one name, not an object.
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.set('x-powered-by', false);
  app.enableShutdownHooks();
  requireDeclaredRoutes(app);
  return app;
}
