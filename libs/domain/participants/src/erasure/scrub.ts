import type { EntityManager } from 'typeorm';
import { type CatalogColumn, columnsWithText, keyOf } from './catalog';
import { COLUMNS } from './columns';
import { mentions, withoutMention } from './mention';
import { inBatches } from './removal';

/** Rows that are not processed yet must not change. */
const ONLY: Record<string, string> = { import_rows: 'outcome IS NOT NULL' };

/** Ids that belong to nobody's record, and are kept for a day only. */
const IDS_OF_ANYONE = new Set(['idempotency_keys']);

/** The rows of a table that mention an address, and the statement that replaces it in a batch. */
export interface Scrub {
  table: string;
  sql: string;
  batches: unknown[][];
}

/**
 * Finds rows of an organization that still mention the address, in all columns of `COLUMNS` that can contain it, such as
 * notes about other people. Yields one table after the other, so that each can be processed before the next search.
 */
export async function* scrubs(
  manager: EntityManager,
  organizationId: string,
  mention: string[],
  mentionInIds: string[],
): AsyncGenerator<Scrub> {
  const byTable = new Map<string, CatalogColumn[]>();
  for (const each of await columnsWithText(manager)) {
    const { personal = [], foreign = [], remarks = [] } = COLUMNS[each.table] ?? {};
    if (!each.owned || ![...personal, ...foreign, ...remarks].includes(each.column)) continue;
    byTable.set(each.table, [...(byTable.get(each.table) ?? []), each]);
  }
  for (const [table, columns] of byTable) {
    const given = IDS_OF_ANYONE.has(table) ? mentionInIds : mention;
    const key = await keyOf(manager, table);
    const names = key.map(({ name }) => `"${name}"`).join(', ');
    const mentioned = columns.map(({ column }) => mentions(`"${column}"::text`, '$2')).join(' OR ');
    const rows: Record<string, unknown>[] = await manager.query(
      `SELECT ${names} FROM "${table}" WHERE organization_id = $1 AND ${ONLY[table] ?? true} AND (${mentioned})`,
      [organizationId, given],
    );
    const arrays = key.map(({ type }, i) => `$${i + 3}::${type}[]`).join(', ');
    yield {
      table,
      sql: /* sql */ `
        UPDATE "${table}" SET ${columns.map(scrubbed).join(', ')}
        WHERE organization_id = $1 AND (${names}) IN (SELECT * FROM unnest(${arrays}))
        RETURNING ${names}`,
      batches: inBatches(rows).map((batch) => [
        organizationId,
        given,
        ...key.map(({ name }) => batch.map((row) => row[name])),
      ]),
    };
  }
}

const scrubbed = ({ column, type }: CatalogColumn): string => {
  const text = withoutMention(`"${column}"::text`, '$2');
  if (type === 'text') return `"${column}" = ${text}`;
  if (type === 'text[]') {
    const each = withoutMention('each', '$2');
    return `"${column}" = ARRAY(SELECT ${each} FROM unnest("${column}") WITH ORDINALITY u (each, place) ORDER BY place)`;
  }
  if (type === 'json' || type === 'jsonb') return `"${column}" = (${text})::${type}`;
  throw new Error(`Can't remove an address from ${column}: no method for the type ${type}.`);
};
