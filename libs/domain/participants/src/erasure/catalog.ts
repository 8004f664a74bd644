import type { EntityManager } from 'typeorm';
import { type ColumnKind, type Row, statement } from '#platform/database';
import { COLUMNS } from './columns';

export type CatalogColumn = Row<typeof READ>;

/** Types that can't contain text. */
const HARMLESS = [
  ...['uuid', 'uuid[]', 'boolean', 'smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision'],
  ...['timestamp with time zone', 'timestamp without time zone', 'time without time zone', 'interval'],
];

const READ = statement({
  parameters: ['text[]'],
  columns: {
    table: 'name',
    column: 'name',
    /** The PostgreSQL type: `text`, `text[]`, `jsonb` … */
    type: 'text',
    /** Whether rows of the table belong to organizations. */
    owned: 'boolean',
  },
  sql: `
    SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type,
      EXISTS (SELECT FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname = 'organization_id' AND NOT o.attisdropped)
        AS owned
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attnum > 0 AND NOT a.attisdropped AND format_type(a.atttypid, NULL) <> ALL ($1)
    ORDER BY c.relname, a.attnum
  `,
});

/** Every column of the schema that can contain text. */
export const columnsWithText = (manager: EntityManager): Promise<CatalogColumn[]> =>
  READ.rows(manager, [HARMLESS]);

/** Of the organizations' tables, the columns that an erasure covers, by table. */
export const personalColumns = (manager: EntityManager): Promise<Map<string, CatalogColumn[]>> =>
  columnsOf(manager, ['personal', 'foreign', 'remarks']);

/** Of the organizations' tables, the columns of some kinds, by table. */
export async function columnsOf(
  manager: EntityManager,
  kinds: readonly ColumnKind[],
): Promise<Map<string, CatalogColumn[]>> {
  const byTable = new Map<string, CatalogColumn[]>();
  for (const each of await columnsWithText(manager)) {
    const columns = kinds.flatMap((kind) => COLUMNS[each.table]?.[kind] ?? []);
    if (!each.owned || !columns.includes(each.column)) continue;
    byTable.set(each.table, [...(byTable.get(each.table) ?? []), each]);
  }
  return byTable;
}

export type KeyColumn = Row<typeof KEY>;

const KEY = statement({
  parameters: ['text'],
  columns: { name: 'name', type: 'text' },
  sql: `
    SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type
    FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indrelid = to_regclass('public.' || $1) AND i.indisprimary AND a.attname <> 'organization_id' ORDER BY k.place
  `,
});

/** The primary key's columns after the organization. */
export const keyOf = (manager: EntityManager, table: string): Promise<KeyColumn[]> =>
  KEY.rows(manager, [table]);
