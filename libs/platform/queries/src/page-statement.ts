import { NIL_ID } from '#platform/database';
import type { Cursor } from './cursor';
import { filteredBy, findingOf, matchingOf, rowsOf } from './filtering';
import { filtersOf, type ListDeclaration } from './list-declaration';
import type { ListRequest } from './list-request';
import { type Bind, rendering } from './resource';
import { type Direction, firstRows, nearestRow, type RowsInOrder } from './rows-in-order';
import { countOf, knownTotal } from './total';

/** The columns of a page's statement before those of the items. */
export const [KEY, ID, TOTAL, BEYOND, ITEM] = [0, 1, 2, 3, 4];

/** The SQL of a page. The text depends on the declaration and the parameters only, so that it stays prepared. */
export class PageStatement {
  readonly values: unknown[] = [];
  readonly text: string;
  /** The total from the cursor, if it is recent enough. */
  readonly total: Cursor['total'];
  readonly pinnedWatermark: string | undefined;

  /** @param bare omits the total and the check for items on the other side of the cursor */
  constructor(
    list: ListDeclaration,
    request: ListRequest,
    readonly watermark: string | undefined,
    { bare = false }: { bare?: boolean } = {},
  ) {
    const { sort, descending, backward, cursor, skip, values, caller } = request;
    const bind: Bind = (value) => `$${this.values.push(value)}`;
    this.total = knownTotal(list, request);
    this.pinnedWatermark = sort.moves ? undefined : watermark;

    const matching = visibleRows(list, request, watermark, bind);
    const found = findingOf(list, request) && foundFirst(matching);
    const rows = found ? FOUND : matching;
    const way: Direction = descending !== backward ? 'DESC' : 'ASC';
    const here = cursor && `(${bind(cursor.key)}::${sort.type}, ${bind(cursor.id)}::uuid)`;
    const behind = here && !bare && nearestRow(...behindOf(rows, way, here));
    const first = firstRows(here ? onwardFrom(rows, way, here) : rows, way, limitOf(request, rows, bind));
    const page = found
      ? `SELECT t.*, f.page_key, f.page_id FROM (${first}) f
        JOIN ${list.of.from} ON t.organization_id = ${bind(caller.organizationId)} AND t.id = f.id`
      : first;
    const { joins, select } = rendering(list.of, values, bind, caller);
    const total = () => (found ? '(SELECT count(*) FROM found)' : countOf(list, request, bind));
    this.text = `${found ? `WITH found AS MATERIALIZED (${found})` : ''}
      SELECT t.page_key, t.page_id,
        ${this.total || bare ? 'NULL' : `(SELECT ${total()})`},
        ${behind ? `(${behind}) IS NOT NULL` : `${skip > 0}`},
        ${select}
      FROM (${page}) t ${joins}
      ORDER BY t.page_key ${way}, t.page_id ${way}`;
  }
}

/** The rows of the list that match the request, up to the watermark. */
function visibleRows(
  list: ListDeclaration,
  request: ListRequest,
  watermark: string | undefined,
  bind: Bind,
): RowsInOrder {
  const { sort, filters, values } = request;
  const isSkewed = (name: string) =>
    !findingOf(list, request) && !!(sort.skewed || filtersOf(list)[name]?.skewed);
  const conditions = matchingOf(list, request, bind, (name) => !isSkewed(name));
  const skewed = filteredBy(list, request, bind, filters.filter(isSkewed));
  const id = list.of.id ?? 't.id';
  const key = typeof sort.sql === 'string' ? sort.sql : sort.sql(bind, values);
  // A row comparison, because PostgreSQL would estimate two comparisons of a column with any times as a range of few rows,
  // and sort all rows for a page.
  if (watermark)
    conditions.push(
      `(${list.times?.updatedAt ?? key}, ${id}) < (${bind(watermark)}::timestamptz, '${NIL_ID}'::uuid)`,
    );
  return { from: rowsOf(list, request, bind), key, id, conditions, skewed };
}

/** What a page needs of each row that a filter finds. */
const foundFirst = ({ from, key, id, conditions }: RowsInOrder): string =>
  `SELECT t.id, ${key} AS found_key, ${id} AS found_id FROM ${from} WHERE ${conditions.join(' AND ')}`;

const FOUND: RowsInOrder = {
  from: 'found t',
  key: 't.found_key',
  id: 't.found_id',
  conditions: [],
  skewed: [],
};

const onwardFrom = (rows: RowsInOrder, way: Direction, here: string): RowsInOrder =>
  compared(rows, way === 'DESC' ? '<' : '>', here);

/** The rows on the other side of the cursor, including its own row, and their direction. */
const behindOf = (rows: RowsInOrder, way: Direction, here: string): [RowsInOrder, Direction] =>
  way === 'DESC' ? [compared(rows, '>=', here), 'ASC'] : [compared(rows, '<=', here), 'DESC'];

const compared = (rows: RowsInOrder, operator: string, here: string): RowsInOrder => ({
  ...rows,
  conditions: [...rows.conditions, `(${rows.key}, ${rows.id}) ${operator} ${here}`],
});

/**
 * One row more than the page, to see whether there is another page. A literal size lets PostgreSQL keep its generic plan: for a
 * parameter it would assume a tenth of the table, and plan every request again.
 */
function limitOf(
  { size, usualSize, readAhead = 0, skip }: ListRequest,
  { skewed }: RowsInOrder,
  bind: Bind,
): string {
  const limit = usualSize ? `${size + 1}` : bind(size + 1 + readAhead);
  return skip > 0 && skewed.length === 0 ? `${limit} OFFSET ${bind(skip)}` : limit;
}
