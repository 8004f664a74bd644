import { normalizeEmail } from '#platform/validation';
import { keyOf, personalColumns } from './catalog';
import { entriesReachedAt, isBooker } from './entries';
import { findImportRows } from './import-rows';
import { mentionInIdsOf, mentionOf, mentions } from './mention';
import type { Transactions } from './transactions';

/** The most rows that are in memory at once. */
const PAGE = 200;

/** Some rows of a table about a person: of each its key, and the columns that can hold personal data. */
export interface FiledRows {
  table: string;
  rows: Record<string, unknown>[];
}

/**
 * Everything that is known of a person, by email address: the rows that `erasePerson` would change, with the columns of the same
 * classification (`@Holds`), so that a new column is in both. A table has several items if it has many rows. Each statement is a
 * transaction of its own.
 */
export async function* personFile(
  database: Transactions,
  { organizationId, email: given }: { organizationId: string; email: string },
): AsyncGenerator<FiledRows, void> {
  const emails = [normalizeEmail(given)];
  const [mention, mentionInIds] = [mentionOf(emails), mentionInIdsOf(emails)];
  const read = <T>(work: Parameters<typeof database.transaction<T>>[0]) => database.transaction(work);
  const reached = await read((manager) => entriesReachedAt(manager, organizationId, emails[0] as string));
  const own = reached.filter((entry) => entry.email !== null || isBooker(entry));
  const imported = await read((manager) => findImportRows(manager, organizationId, own, emails));
  const related = [
    own.map(({ id }) => id),
    own.map(({ participantId }) => participantId),
    own.filter(isBooker).map(({ bookingId }) => bookingId),
    imported.map(({ jobId }) => jobId),
    imported.map(({ row }) => row),
  ];
  for (const [table, columns] of await read(personalColumns)) {
    const key = await read((manager) => keyOf(manager, table));
    const shown = [...new Set([...key.map(({ name }) => name), ...columns.map(({ column }) => column)])];
    const names = [...shown.map((name) => `t."${name}"`), ...(ALSO[table] ?? [])];
    const mentioned = columns.map(({ column }) => mentions(`t."${column}"::text`, '$2'));
    const order = key.map(({ name }) => `t."${name}"`).join(', ');
    const from = key.map(({ type }, i) => `$${i + 8}::${type}`).join(', ');
    const text = (after: string) => /* sql */ `SELECT ${names.join(', ')},
        json_build_array(${key.map(({ name }) => `t."${name}"::text`).join(', ')}) AS "${PLACE}" FROM "${table}" t
      CROSS JOIN (SELECT $3::uuid[] AS entries, $4::uuid[] AS participants, $5::uuid[] AS bookings,
        $6::uuid[] AS jobs, $7::int[] AS places) own
      WHERE t.organization_id = $1 AND (${[...mentioned, RELATED[table] ?? 'false'].join(' OR ')}) ${after}
      ORDER BY ${order} LIMIT ${PAGE}`;
    const values = [organizationId, table === 'idempotency_keys' ? mentionInIds : mention, ...related];
    let place: string[] | undefined;
    do {
      const [sql, all] = place
        ? [text(`AND (${order}) > (${from})`), [...values, ...place]]
        : [text(''), values];
      const rows = await read<Record<string, unknown>[]>((manager) => manager.query(sql, all));
      place = rows.length === PAGE ? (rows[PAGE - 1]?.[PLACE] as string[]) : undefined;
      for (const row of rows) delete row[PLACE];
      if (rows.length > 0) yield { table, rows };
    } while (place);
  }
}

const PLACE = 'key in order';

const titleOf = (table: string, id: string, name: string) =>
  `(SELECT o.title FROM ${table} o WHERE o.organization_id = t.organization_id AND o.id = t.${id}) AS ${name}`;

/** What a row is about, by table. */
const ALSO: Record<string, string[]> = {
  start_list_entries: [
    titleOf('event_occurrences', 'event_occurrence_id', 'event'),
    titleOf('races', 'race_id', 'race'),
    titleOf('tickets', 'ticket_id', 'ticket'),
    ...['t.created_at', 't.cancelled_at'],
  ],
  bookings: [titleOf('event_occurrences', 'event_occurrence_id', 'event'), 't.created_at', 't.cancelled_at'],
  race_day_log: ['t.changed_at'],
  audit_log: ['t.at', 't.action'],
};

/** Rows about the person that need not mention the address, by table. */
const RELATED: Record<string, string> = {
  start_list_entries: 't.id = ANY (own.entries)',
  bookings: 't.id = ANY (own.bookings)',
  line_items: 't.participant_id = ANY (own.participants)',
  race_day_log: 't.participant_id = ANY (own.participants)',
  race_day_fields: 't.participant_id = ANY (own.participants)',
  teams: `t.id IN (SELECT e.team_id FROM start_list_entries e WHERE e.organization_id = $1 AND e.id = ANY (own.entries))`,
  import_rows: '(t.job_id, t.row_number) IN (SELECT * FROM unnest(own.jobs, own.places))',
  audit_log: `t.changes IS NOT NULL AND t.object_id IN (
    SELECT unnest(own.entries || own.participants || own.bookings)::text)`,
};
