import { DefaultNamingStrategy, type Table } from 'typeorm';

/** The name of a column in PostgreSQL. */
export const columnName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const tableName = (table: Table | string) =>
  (typeof table === 'string' ? table : table.name).replace(/^.*\./, '');
/** Omitted in names of constraints, because every key begins with it. */
const telling = (columns: string[]) => columns.filter((column) => column !== 'organization_id');

/** Columns in snake_case; constraints with PostgreSQL's default names. */
export class PostgresNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return columnName([...prefixes, custom ?? property].join('_'));
  }
  override primaryKeyName(table: Table | string): string {
    return `${tableName(table)}_pkey`;
  }
  override foreignKeyName(table: Table | string, columns: string[]): string {
    return [tableName(table), ...(telling(columns).length ? telling(columns) : columns), 'fkey'].join('_');
  }
  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return [tableName(table), ...telling(columns), 'key'].join('_');
  }
  override indexName(table: Table | string, columns: string[]): string {
    return [tableName(table), ...telling(columns), 'idx'].join('_');
  }
}
