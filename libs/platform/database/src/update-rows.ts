import type { EntityManager } from 'typeorm';
import { columnsOf, type EntityClass } from './entity-columns';

/**
 * Updates columns of all rows by id with one UPDATE. Callers hold the locks of the rows, or pass the rows in id order.
 *
 * @param names the columns that are written, which every row has; by default all of the first row
 */
export async function updateRows<Name extends string>(
  manager: EntityManager,
  organizationId: string,
  entity: EntityClass<unknown>,
  rows: readonly (Record<NoInfer<Name>, unknown> & { id: string })[],
  names: readonly Name[] = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id') as Name[],
): Promise<void> {
  if (rows.length === 0 || names.length === 0) return;
  const { table, typeOf } = columnsOf(entity);
  const typed = names.map((name) => `${name} ${typeOf(name)}`);
  await manager.query(
    `UPDATE ${table} t SET ${names.map((name) => `${name} = x.${name}`).join(', ')}
     FROM json_to_recordset($2::json) AS x (id uuid, ${typed.join(', ')})
     WHERE t.organization_id = $1 AND t.id = x.id`,
    [
      organizationId,
      JSON.stringify(
        rows.map((row) => ({ id: row.id, ...Object.fromEntries(names.map((name) => [name, row[name]])) })),
      ),
    ],
  );
}
