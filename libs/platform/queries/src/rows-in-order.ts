/** Rows of a list, aliased `t`, in its order: by a key, and by the id among those with the same key. */
export interface RowsInOrder {
  from: string;
  key: string;
  id: string;
  conditions: readonly string[];
  /** The conditions of skewed filters: they match so few or so many rows that PostgreSQL can't know which index is better. */
  skewed: readonly string[];
}

export type Direction = 'ASC' | 'DESC';

/** Rows in the order of a list that are searched for a page with a skewed filter, before all rows with its value are read. */
const NEARBY = 2_000;

/** The rows with their `page_key` and `page_id`. @param limit the number of rows, as SQL */
export const firstRows = (rows: RowsInOrder, direction: Direction, limit: string): string =>
  rows.skewed.length ? nearOrAll(rows, direction, limit) : keyed(rows, direction, limit);

/**
 * A value that is not null if there is a row. Reads the nearest one in order, because EXISTS would search in any order.
 */
export const nearestRow = (rows: RowsInOrder, direction: Direction): string =>
  rows.skewed.length
    ? `SELECT page_id FROM (${nearOrAll(rows, direction, '1')}) found`
    : inOrder(rows, 'true', direction, '1');

const inOrder = (
  { from, key, id, conditions }: RowsInOrder,
  what: string,
  direction: Direction,
  limit: string,
): string =>
  `SELECT ${what} FROM ${from} WHERE ${conditions.join(' AND ') || 'true'}
        ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT ${limit}`;

const keyed = (rows: RowsInOrder, direction: Direction, limit: string): string =>
  inOrder(rows, `t.*, ${rows.key} AS page_key, ${rows.id} AS page_id`, direction, limit);

/**
 * With skewed filters: the rows among the nearest ones, or, if these are neither enough nor all rows, among all rows with the
 * value. OFFSET 0: those are found by the value, and then ordered.
 */
function nearOrAll(rows: RowsInOrder, direction: Direction, limit: string): string {
  const { from, key, id, conditions, skewed } = rows;
  const all = [...conditions, ...skewed, 'NOT (SELECT found FROM enough)'];
  const farther = inOrder(rows, 'true', direction, `1 OFFSET ${NEARBY}`);
  return `
      WITH near AS MATERIALIZED (
        SELECT * FROM (${keyed(rows, direction, `${NEARBY}`)}) t
        WHERE ${skewed.join(' AND ')} ORDER BY page_key ${direction}, page_id ${direction} LIMIT ${limit}
      ), enough AS MATERIALIZED (SELECT count(*) >= ${limit} OR NOT EXISTS (${farther}) AS found FROM near)
      SELECT * FROM near WHERE (SELECT found FROM enough)
      UNION ALL
      (SELECT * FROM (
        SELECT t.*, ${key} AS page_key, ${id} AS page_id FROM ${from} WHERE ${all.join(' AND ')} OFFSET 0
      ) t ORDER BY page_key ${direction}, page_id ${direction} LIMIT ${limit})`;
}
