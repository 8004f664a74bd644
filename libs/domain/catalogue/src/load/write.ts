import type { EntityManager } from 'typeorm';
import { columnsOf, statement } from '#platform/database';
import { type Row, TABLES, type Table, type TableName } from './tables';

/** Counts of the rows of a table. */
export interface TableCounts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
}
export type CountsByTable = Partial<Record<TableName, TableCounts>>;

/** Rows to write, by table. */
export class Rows {
  private readonly byTable = new Map<TableName, Row[]>();
  /** Owners whose links must be exactly the given ones. */
  readonly linked = new Map<TableName, string[]>();

  add(table: TableName, row: Row): void {
    this.of(table).push(row);
  }

  link(table: TableName, owner: string, rows: Row[]): void {
    this.linked.set(table, [...(this.linked.get(table) ?? []), owner]);
    this.of(table).push(...rows);
  }

  of(table: TableName): Row[] {
    let rows = this.byTable.get(table);
    if (!rows) {
      rows = [];
      this.byTable.set(table, rows);
    }
    return rows;
  }

  take(others: Rows): void {
    for (const [table, rows] of others.byTable) this.of(table).push(...rows);
    for (const [table, owners] of others.linked) {
      this.linked.set(table, [...(this.linked.get(table) ?? []), ...owners]);
    }
  }
}

/** Positions do not change if they already give the order of the file; new rows come after all stored ones. */
export function keepPlaces(
  rows: Row[],
  places: (number | undefined)[],
  staying: Iterable<{ position: number }>,
): void {
  let last = Math.max(-1, ...places.map((place) => place ?? -1), ...[...staying].map((row) => row.position));
  const kept = places.map((place) => place ?? ++last);
  const inOrder = kept.every((place, at) => at === 0 || place > (kept[at - 1] as number));
  if (inOrder) for (const [at, row] of rows.entries()) row.position = kept[at];
}

/** Writes the rows, table by table. Does not write rows that are unchanged. */
export async function write(
  manager: EntityManager,
  organizationId: string,
  rows: Rows,
  counts: CountsByTable,
): Promise<void> {
  for (const name of Object.keys(TABLES) as TableName[]) {
    const given = rows.of(name);
    const owners = rows.linked.get(name);
    if (given.length === 0 && !owners) continue;
    const { upsert, unlink } = STATEMENTS[name];
    const json = JSON.stringify(given);
    const removed = owners ? await unlink.run(manager, [organizationId, owners, json]) : 0;
    const changed = given.length ? await upsert.rows(manager, [organizationId, json]) : [];
    const created = changed.filter((row) => row.created).length;
    const before = counts[name] ?? { created: 0, updated: 0, unchanged: 0, removed: 0 };
    counts[name] = {
      created: before.created + created,
      updated: before.updated + changed.length - created,
      unchanged: before.unchanged + given.length - changed.length,
      removed: before.removed + removed,
    };
  }
}

/** A query in RETURNING sees the table as it was before the statement, without the inserted rows. */
function upsertOf({ entity, keys, fixed, columns }: Table) {
  const { table, typeOf } = columnsOf(entity);
  const all = [...keys, ...fixed, ...columns];
  const onConflict = columns.length
    ? `UPDATE SET ${columns.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}
       WHERE (${columns.map((column) => `stored.${column}`).join(', ')})
         IS DISTINCT FROM (${columns.map((column) => `EXCLUDED.${column}`).join(', ')})`
    : 'NOTHING';
  return statement({
    parameters: ['uuid', 'jsonb'],
    columns: { created: 'boolean' },
    sql: `
    INSERT INTO ${table} AS stored (organization_id, ${all.join(', ')})
    SELECT $1, given.* FROM jsonb_to_recordset($2::jsonb)
      AS given (${all.map((column) => `${column} ${typeOf(column)}`)})
    ON CONFLICT (organization_id, ${keys.join(', ')}) DO ${onConflict}
    RETURNING NOT EXISTS (SELECT FROM ${table} before WHERE before.organization_id = stored.organization_id
      AND ${keys.map((key) => `before.${key} = stored.${key}`).join(' AND ')}) AS created`,
  });
}

/** Deletes links of the owners `$2` that are not among the given ones. */
function unlinkOf({ entity, keys }: Table) {
  const { table, typeOf } = columnsOf(entity);
  const [owner] = keys;
  return statement({
    parameters: ['uuid', 'uuid[]', 'jsonb'],
    sql: `
      DELETE FROM ${table} stored
      WHERE organization_id = $1 AND ${owner} = ANY($2::uuid[])
        AND NOT EXISTS (SELECT FROM jsonb_to_recordset($3::jsonb)
          AS given (${keys.map((column) => `${column} ${typeOf(column)}`)})
          WHERE ${keys.map((column) => `given.${column} = stored.${column}`).join(' AND ')})
    `,
  });
}

const STATEMENTS = Object.fromEntries(
  Object.entries(TABLES).map(([name, table]) => [name, { upsert: upsertOf(table), unlink: unlinkOf(table) }]),
) as Record<TableName, { upsert: ReturnType<typeof upsertOf>; unlink: ReturnType<typeof unlinkOf> }>;
