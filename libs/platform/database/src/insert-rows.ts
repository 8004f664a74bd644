import { prepareValue } from 'pg/lib/utils';
import type { EntityManager } from 'typeorm';
import { columnsOf, type EntityClass, type NewRow } from './entity-columns';

/** A shared empty list, which `insertRows` sends only once. */
export const NONE: never[] = [];

/**
 * Inserts rows with a single INSERT in the given order. Callers sort them by the unique index, so that two jobs do not
 * deadlock. All rows have the same columns. Each column is one parameter, a JSON array, because PostgreSQL reads it faster than
 * JSON objects. Values that are the same in all rows are sent only once.
 */
export async function insertRows<Entity>(
  manager: EntityManager,
  entity: EntityClass<Entity>,
  rows: NewRow<Entity>[],
): Promise<void> {
  const all: Record<string, unknown>[] = rows;
  const [first] = all;
  if (!first) return;
  const { table, typeOf } = columnsOf(entity);
  const names = Object.keys(first);
  if (all.some((row) => Object.keys(row).length !== names.length))
    throw new Error(`Rows of ${table} that are inserted together must have the same columns`);
  const parameters: unknown[] = [];
  const columns: string[] = [];
  const values = names.map((name) => {
    const type = typeOf(name);
    const value = first[name];
    const isJson = type.startsWith('json');
    if (all.every((row) => row[name] === value)) {
      parameters.push(isJson && value != null ? JSON.stringify(value) : (value ?? null));
      return `$${parameters.length}::${type}`;
    }
    parameters.push(
      JSON.stringify(all.map((row) => (type.endsWith('[]') ? prepareValue(row[name]) : row[name]))),
    );
    columns.push(
      `${isJson ? 'json_array_elements' : 'json_array_elements_text'}($${parameters.length}::json)`,
    );
    const read = `x.c${columns.length}`;
    return `${isJson ? `nullif(${read}::text, 'null')` : read}::${type}`;
  });
  const from = columns.length
    ? `ROWS FROM (${columns.join(', ')}) AS x (${columns.map((_, i) => `c${i + 1}`).join(', ')})`
    : `generate_series(1, ${all.length})`;
  await manager.query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`,
    parameters,
  );
}
