import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { applyRules } from './rules';
import type { Schema } from './schema';
import { schemasFromSource } from './source-schemas';

/** Schemas of all DTO classes of the repository: their types and comments, and their class-validator rules. */
export function dtoSchemas(root: string): Record<string, Schema> {
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(dto|import)\.ts$/.test(file))
      .map((file) => join(root, folder, file))
      .sort(),
  );
  const schemas = schemasFromSource(files, join(root, 'tsconfig.json'));
  for (const file of files) {
    for (const [name, exported] of Object.entries(require(file) as Record<string, unknown>)) {
      const schema = schemas.get(name);
      if (schema?.properties && typeof exported === 'function') applyRules(schema, exported as Type);
    }
  }
  return Object.fromEntries(schemas);
}
