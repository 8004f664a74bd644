import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';

/** There are no down migrations: see docs/upgrading.md. */
export type Migration = Pick<MigrationInterface, 'up' | 'transaction'>;

/** `<number>-<name>`, without declarations and source maps. */
const FILE = /^(\d+)-[a-z-]+\.[jt]s$/;

const isMigration = (exported: unknown): exported is new () => Migration =>
  typeof exported === 'function' && typeof exported.prototype?.up === 'function';

/** TypeORM sorts by the last 13 digits of the class name. */
const suffixOf = (number: number): string => `1796000000${String(number).padStart(3, '0')}`;

/**
 * The migrations of this folder by number, which is their order. The build empties its copy of the folder first.
 *
 * @throws Error for a class whose name would give it another place
 */
export const migrations = readdirSync(__dirname)
  .flatMap((file) => {
    const number = FILE.exec(file)?.[1];
    return number ? [{ file, number: Number(number) }] : [];
  })
  .sort((a, b) => a.number - b.number)
  .flatMap(({ file, number }) => {
    const classes = Object.values(require(join(__dirname, file)) as object).filter(isMigration);
    const misnamed = classes.find(({ name }) => !name.endsWith(suffixOf(number)));
    if (misnamed) throw new Error(`${misnamed.name} in ${file} must end with ${suffixOf(number)}`);
    return classes;
  }) satisfies DataSourceOptions['migrations'];
