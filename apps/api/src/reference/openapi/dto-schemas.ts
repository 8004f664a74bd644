import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from './schema';
import { type Classes, schemasFromSource } from './source-schemas';

/** Schemas of all DTO classes of the repository: their types, comments and decorators. */
export function dtoSchemas(root: string): Record<string, Schema> {
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.dto\.ts$/.test(file))
      .map((file) => join(root, folder, file))
      .sort(),
  );
  const classes: Classes = Object.assign({}, ...files.map((file) => require(file)));
  return Object.fromEntries(schemasFromSource(files, join(root, 'tsconfig.json'), classes));
}
