import type { Database, RowReader, TextRow } from '#platform/database';
import type { ListDeclaration } from './list-declaration';
import type { ListRequest } from './list-request';
import { ID, KEY, TOTAL } from './page-statement';
import { countOf } from './total';

/**
 * A list of all organizations in a distributed database: the page of each node, merged. A node is asked for the rows that
 * are skipped too, because only the merged order says which ones these are.
 */
export async function fromEveryNode(
  database: Database,
  list: ListDeclaration,
  asked: ListRequest,
): Promise<[ListRequest, RowReader]> {
  const { skip, size, descending, backward, sort } = asked;
  const { organizationId } = asked.caller;
  const request = { ...asked, skip: 0, readAhead: skip, usualSize: false };
  const total = async (text: string, values: unknown[]) => {
    const tables = await database.marketplace(organizationId, text, values);
    return tables.reduce((sum, { rows }) => sum + Number(rows[0]?.[0] ?? 0), 0);
  };
  const sign = descending !== backward ? -1 : 1;
  const place = (row: TextRow) => (sort.type === 'integer' ? Number(row[KEY]) : (row[KEY] as string));
  const inOrder = (a: TextRow, b: TextRow) => {
    const [x, y] = place(a) === place(b) ? [a[ID] as string, b[ID] as string] : [place(a), place(b)];
    return x < y ? -sign : sign;
  };
  const values: unknown[] = [];
  const count = countOf(list, request, (value) => `$${values.push(value)}`);
  const reader: RowReader = {
    tuples: async <Row extends unknown[]>(text: string, given: unknown[] = []) =>
      [[await total(text, given)]] as unknown as Row[],
    each: async (text, given, keep) => {
      const [tables, all] = await Promise.all([
        database.marketplace(organizationId, text, given),
        total(`SELECT ${count}`, values),
      ]);
      const rows = tables.flatMap((table) => table.rows).sort(inOrder);
      return rows.slice(skip, skip + size + 1).map((row) => {
        const counted = [...row];
        counted[TOTAL] = String(all);
        return keep(counted, tables[0]?.columns ?? []);
      });
    },
  };
  return [request, reader];
}
