import type { EntityManager } from 'typeorm';

/** PostgreSQL's type of each column that is written. */
export type Columns = Readonly<Record<string, string>>;

export const MONEY = { value: 'bigint', currency: 'text' } as const;

/**
 * One INSERT for all rows, whose keys are the columns' names. Rows are written in the order given: callers sort
 * them by what a unique index compares, so that two jobs never wait for each other crosswise.
 */
export async function insertRows<C extends Columns>(
  manager: EntityManager,
  table: string,
  columns: C,
  rows: Record<keyof C, unknown>[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns).join(', ');
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  await manager.query(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_to_recordset($1::jsonb) AS x (${typed.join(', ')})`,
    [JSON.stringify(rows)],
  );
}
