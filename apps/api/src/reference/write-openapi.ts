import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { IMPORT_DEFINITIONS, SHAPE_SOURCES, shapeSourcesOf } from '#domain/imports';
import { loadSettings } from '#platform/config';
import { JsonAdapter, Sending } from '#platform/http';
import { AppModule } from '../app.module';
import { fieldsOfImports, type ImportsDocument } from './fields-of-imports';
import { buildDocument, type OpenApiDocument } from './openapi';

const ROOT = resolve(__dirname, '../../../..');

/**
 * Writes `openapi.json` and `openapi.console.json` from the routes and DTO classes in the sources; with `--check`, only compares. The application
 * does not run: no provider is created, so no database is needed.
 */
async function main(): Promise<void> {
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgresql://nobody@localhost/nothing',
    SIGNING_SECRETS: `reference:${randomBytes(32).toString('hex')}`,
  });
  const app = await NestFactory.create(AppModule.of(settings), new JsonAdapter(new Sending(settings)), {
    preview: true,
    logger: ['error', 'fatal'],
  });
  const { document, staffDocument, gaps } = buildDocument(app, ROOT);
  for (const each of [document, staffDocument]) await requireValid(each);
  if (gaps.length > 0) throw new Error(`These properties lack:\n  ${gaps.join('\n  ')}`);

  writeOrCompare('openapi.json', `${JSON.stringify(document, null, '\t')}\n`);
  writeOrCompare('openapi.console.json', `${JSON.stringify(staffDocument, null, '\t')}\n`);
  writeOrCompare('libs/client/src/import-table.ts', importTable());
  writeOrCompare('libs/client/src/import-shapes.ts', importShapes(document));
  writeOrCompare(SHAPE_SOURCES, `${JSON.stringify(shapeSourcesOf(ROOT), null, 2)}\n`);
}

/** The client is a separate package, so it gets the definitions of imports as a table. */
function importTable(): string {
  const lines = IMPORT_DEFINITIONS.map(
    ({ path, surface, collection }) =>
      `  '/v0/${path}': { surface: '${surface}', collection: '${collection}' },`,
  );
  return [
    '// Written by `npm run openapi`, from the definitions of imports.',
    'export const IMPORT_TABLE = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}

/** The targets of the column mapping in the console. */
function importShapes(document: OpenApiDocument): string {
  const shapes = Object.entries(fieldsOfImports(document as unknown as ImportsDocument));
  const lines = shapes.flatMap(([path, { collection, fields }]) => [
    `  '${path}': { collection: '${collection}', fields: [`,
    ...fields.map((field) => `    ${JSON.stringify(field)},`),
    '  ] },',
  ]);
  return [
    '// Written by `npm run openapi`, from the rows of imports in openapi.json.',
    "import type { ImportShape } from './rows/shapes';",
    '',
    'export const IMPORT_SHAPES: Record<string, ImportShape> = {',
    ...lines,
    '};',
    '',
  ].join('\n');
}

function writeOrCompare(name: string, text: string): void {
  const file = join(ROOT, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    process.stdout.write(`${name}: written\n`);
  } else if (readFileSync(file, 'utf8') !== text) {
    throw new Error(`${name} does not match the code. Run \`npm run openapi\`, and review the changes.`);
  }
}

/** What redocly finds in the contract's own names: a path with a trailing slash, ids beside words, and aliases. */
const OF_THE_CONTRACT = {
  'no-path-trailing-slash': 'off',
  'no-ambiguous-paths': 'off',
  'no-unused-components': 'off',
} as const;

/** @throws Error if the document is invalid, or breaks a rule that redocly recommends */
async function requireValid(document: OpenApiDocument): Promise<void> {
  const config = await createConfig({ extends: ['recommended'], rules: OF_THE_CONTRACT });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const found = problems.map(
    ({ ruleId, message, location: [at] }) => `${ruleId}: ${message} (${at?.pointer})`,
  );
  if (found.length > 0) throw new Error(`The document has problems:\n  ${found.join('\n  ')}`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
