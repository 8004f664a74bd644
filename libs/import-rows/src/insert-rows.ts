import type { EntityManager } from 'typeorm';

/** The PostgreSQL types of the columns. */
export type Columns = Readonly<Record<string, string>>;

/** A shared empty list, which `insertRows` sends only once. */
export const NONE: never[] = [];

/**
 * Inserts rows, whose keys are column names, with a single INSERT in the given order. Callers sort them by the unique
 * index, so that two jobs do not deadlock. Values that are the same in all rows are sent only once.
 */
export async function insertRows<C extends Columns>(
  manager: EntityManager,
  table: string,
  columns: C,
  rows: Record<keyof C, unknown>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names: (keyof C & string)[] = Object.keys(columns);
  const same = names.filter((name) => rows.every((row) => row[name] === first[name]));
  const differing = names.filter((name) => !same.includes(name));
  const typed = differing.map((name) => `${name} ${columns[name]}`);
  const values = names.map((name) =>
    same.includes(name) ? `$${same.indexOf(name) + 2}::${columns[name]}` : `x.${name}`,
  );
  const from = typed.length
    ? `json_to_recordset($1::json) AS x (${typed.join(', ')})`
    : 'json_array_elements($1::json)';
  const shared = same.map((name) =>
    columns[name]?.startsWith('json') && first[name] != null
      ? JSON.stringify(first[name])
      : (first[name] ?? null),
  );
  await manager.query(`INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`, [
    JSON.stringify(rows.map((row) => Object.fromEntries(differing.map((name) => [name, row[name]])))),
    ...shared,
  ]);
}
