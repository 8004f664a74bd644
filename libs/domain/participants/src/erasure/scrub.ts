import { inGroups } from '#platform/database';
import { type CatalogColumn, keyOf, personalColumns } from './catalog';
import { OWN_EMAIL } from './entries';
import { mentions, withoutMention } from './mention';
import { findKeys } from './row-keys';
import type { Transactions } from './transactions';

/**
 * The rows `t` that change, of those that mention the address ($2). Not import rows that are not processed yet, and not the person's own
 * records, which are found by the address and erased as a whole: those that arrive during the erasure must keep it for the next round.
 */
const ONLY: Record<string, string> = {
  bookings: isWithout('t.booker_email'),
  credits: isWithout('t.email_normalized'),
  import_rows: `t.outcome IS NOT NULL AND (t.payload = '{}' OR ${isWithout('t.payload::text')})`,
  partners: isWithout('t.contacts::text'),
  // The erasure itself is one of them.
  person_jobs: 't.finished_at IS NOT NULL',
  start_list_entries: `(${isWithout('t.email_normalized')} OR (SELECT ${OWN_EMAIL} IS NULL AND ${isWithout('b.booker_email')}
    FROM (SELECT t.*) e JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id))`,
};

function isWithout(text: string): string {
  return `(${mentions(text, '$2')}) IS NOT TRUE`;
}

/** Ids that belong to nobody's record, and are kept for a day only. */
const IDS_OF_ANYONE = new Set(['idempotency_keys']);

/** The log is append-only: its values can be removed, but not changed. */
const REMOVED_WHOLE = new Set(['audit_log']);

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
  database: Transactions,
  organizationId: string,
  mention: string[],
  mentionInIds: string[],
): AsyncGenerator<Scrub> {
  for (const [table, columns] of await database.transaction(personalColumns)) {
    const given = IDS_OF_ANYONE.has(table) ? mentionInIds : mention;
    const key = await database.transaction((manager) => keyOf(manager, table));
    const names = key.map(({ name }) => `"${name}"`).join(', ');
    const mentioned = columns.map(({ column }) => mentions(`t."${column}"::text`, '$2')).join(' OR ');
    const only = ONLY[table] ?? 'true';
    const keys = await findKeys(database, table, {
      columns,
      where: `${only} AND (${mentioned})`,
      values: [organizationId, given],
    });
    const arrays = key.map(({ type }, i) => `$${i + 3}::${type}[]`).join(', ');
    yield {
      table,
      sql: /* sql */ `
        UPDATE "${table}" t SET ${columns.map(REMOVED_WHOLE.has(table) ? removed : scrubbed).join(', ')}
        WHERE organization_id = $1 AND ${only} AND (${names}) IN (SELECT * FROM unnest(${arrays}))
        RETURNING ${names}`,
      batches: inGroups(keys).map((group) => [
        organizationId,
        given,
        ...key.map((_, i) => group.map((each) => each.key[i])),
      ]),
    };
  }
}

const removed = ({ column }: CatalogColumn): string =>
  `"${column}" = CASE WHEN ${mentions(`"${column}"::text`, '$2')} THEN NULL ELSE "${column}" END`;

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
