import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { loadSettings } from '#libs/config';
import { JsonAdapter } from '#libs/http';
import { buildDocument, type OpenApiDocument } from '#libs/openapi';
import { AppModule } from '../app.module';

const ROOT = resolve(__dirname, '../../../..');

/**
 * Writes `openapi.json` from the routes and DTO classes as they are in the sources; with `--check` only compares.
 * The application is read, not run: no provider is made, so there is no database and no listening.
 */
async function main(): Promise<void> {
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgresql://nobody@localhost/nothing',
    SIGNING_SECRETS: `reference:${randomBytes(32).toString('hex')}`,
  });
  const app = await NestFactory.create(AppModule.of(settings), new JsonAdapter(), {
    preview: true,
    logger: ['error', 'fatal'],
  });
  const { document, gaps } = buildDocument(app, ROOT);
  await requireValid(document);
  if (gaps.length > 0) throw new Error(`These properties need an @example:\n  ${gaps.join('\n  ')}`);

  const file = join(ROOT, 'openapi.json');
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    const count = Object.values(document.paths).flatMap(Object.keys).length;
    process.stdout.write(`openapi.json: ${count} operations\n`);
  } else if (readFileSync(file, 'utf8') !== text) {
    throw new Error('openapi.json is not what the code says. Run `npm run openapi`, and read what changed.');
  }
}

/** @throws Error where the document is not OpenAPI 3.1 */
async function requireValid(document: OpenApiDocument): Promise<void> {
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
  if (!valid) throw new Error(`The document is not valid OpenAPI 3.1: ${JSON.stringify(errors, null, 2)}`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
