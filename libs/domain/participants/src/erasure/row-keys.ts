import { type CatalogColumn, keyOf } from './catalog';
import { type Step, searched } from './search';
import type { Transactions } from './transactions';

/** The key of a row after the organization, and the bytes of its personal columns. */
export interface RowKey {
  key: string[];
  bytes: number;
}

/**
 * The rows `t` of a table for which a condition holds.
 *
 * @param from joined to `t`
 * @param values of the parameters in `from` and `where`, beginning with the organization
 */
export async function findKeys(
  database: Transactions,
  table: string,
  {
    columns,
    from = '',
    where,
    values,
  }: { columns: readonly CatalogColumn[]; from?: string; where: string; values: unknown[] },
): Promise<RowKey[]> {
  const key = await database.transaction((manager) => keyOf(manager, table));
  const order = key.map(({ name }) => `t."${name}"`).join(', ');
  const ofRow = `json_build_array(${key.map(({ name }) => `t."${name}"::text`).join(', ')})`;
  const after = key.map(({ type }, i) => `$${i + values.length + 1}::${type}`).join(', ');
  const bytes = columns.map(({ column }) => `coalesce(octet_length(t."${column}"::text), 0)`).join(' + ');
  const text = (beyond: string, most: number) => /* sql */ `
    WITH step AS MATERIALIZED (
      SELECT * FROM "${table}" t WHERE t.organization_id = $1 ${beyond} ORDER BY ${order} LIMIT ${most}
    )
    SELECT (SELECT count(*)::int FROM step) AS read,
      (SELECT ${ofRow} FROM step t ORDER BY (${order}) DESC LIMIT 1) AS last,
      (SELECT coalesce(json_agg(json_build_object('key', ${ofRow}, 'bytes', ${bytes}) ORDER BY ${order}), '[]')
        FROM step t ${from} WHERE ${where}) AS found`;
  return searched(database, async (manager, last, most) => {
    const sql = last ? text(`AND (${order}) > (${after})`, most) : text('', most);
    const [step]: [Step<RowKey>] = await manager.query(sql, [...values, ...(last ?? [])]);
    return step;
  });
}
