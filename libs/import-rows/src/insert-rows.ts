import type { EntityManager } from 'typeorm';
import { columnsOf, type EntityClass, type NewRow } from '#libs/database';

/** A shared empty list, which `insertRows` sends only once. */
export const NONE: never[] = [];

/**
 * Inserts rows with a single INSERT in the given order. Callers sort them by the unique index, so that two jobs do not
 * deadlock. All rows have the same columns. Values that are the same in all rows are sent only once.
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
  const same = names.filter((name) => all.every((row) => row[name] === first[name]));
  const differing = names.filter((name) => !same.includes(name));
  const typed = differing.map((name) => `${name} ${typeOf(name)}`);
  const values = names.map((name) =>
    same.includes(name) ? `$${same.indexOf(name) + 2}::${typeOf(name)}` : `x.${name}`,
  );
  const from = typed.length
    ? `json_to_recordset($1::json) AS x (${typed.join(', ')})`
    : 'json_array_elements($1::json)';
  const shared = same.map((name) =>
    typeOf(name).startsWith('json') && first[name] != null
      ? JSON.stringify(first[name])
      : (first[name] ?? null),
  );
  await manager.query(`INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`, [
    JSON.stringify(all.map((row) => Object.fromEntries(differing.map((name) => [name, row[name]])))),
    ...shared,
  ]);
}
