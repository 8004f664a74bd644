import type { EntityManager } from 'typeorm';
import type { Columns } from './insert-rows';

/**
 * Updates all rows by id with one UPDATE. Every row has the same columns. Callers hold the locks of the rows, or pass
 * the rows in id order.
 */
export async function updateRows<C extends Columns>(
  manager: EntityManager,
  organizationId: string,
  table: string,
  columns: C,
  rows: (Record<keyof C, unknown> & { id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const typed = names.map((name) => `${name} ${columns[name]}`);
  await manager.query(
    `UPDATE ${table} t SET ${names.map((name) => `${name} = x.${name}`).join(', ')}
     FROM json_to_recordset($2::json) AS x (id uuid, ${typed.join(', ')})
     WHERE t.organization_id = $1 AND t.id = x.id`,
    [
      organizationId,
      JSON.stringify(
        rows.map((row) => Object.fromEntries(['id', ...names].map((name) => [name, row[name]]))),
      ),
    ],
  );
}
