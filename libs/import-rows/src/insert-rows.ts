import type { EntityManager } from 'typeorm';

/** PostgreSQL's type of each column that is written. */
export type Columns = Readonly<Record<string, string>>;

/** An empty list that all rows share: `insertRows` then sends it once. */
export const NONE: never[] = [];

/**
 * One INSERT for all rows, whose keys are the columns' names. Rows are written in the order given: callers sort
 * them by what a unique index compares, so that two jobs never wait for each other crosswise. What is the same in all
 * rows is sent, and read, but once.
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
