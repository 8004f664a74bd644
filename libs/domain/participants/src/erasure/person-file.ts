import type { EntityManager } from 'typeorm';
import { inGroups } from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { type CatalogColumn, keyOf, personalColumns } from './catalog';
import { BOOKED, entriesReachedAt, isBooker, ownOf } from './entries';
import { findImportRows } from './import-rows';
import { mentionInIdsOf, mentionOf, mentions } from './mention';
import { findKeys, type RowKey } from './row-keys';
import type { Transactions } from './transactions';

/** Rows of a table about a person, as many as are read by one statement. */
export interface PersonRows {
  table: string;
  keys: RowKey[];
}

/** Some rows of a table about a person: of each its key, and the columns that can hold personal data. */
export interface FiledRows {
  table: string;
  rows: Record<string, unknown>[];
}

/**
 * Finds all that is known of a person, by email address: the rows that `erasePerson` would change. A table has several items if it has
 * many rows.
 */
export async function* findPerson(
  database: Transactions,
  { organizationId, email: given }: { organizationId: string; email: string },
): AsyncGenerator<PersonRows, void> {
  const email = normalizeEmail(given);
  const own = await database.transaction((manager) => ownRows(manager, organizationId, email));
  const imported = await findImportRows(database, organizationId, own.entries, [email], own.booked);
  const keysOfRows = [imported.map(({ jobId }) => jobId), imported.map(({ row }) => row)];
  for (const [table, columns] of await database.transaction(personalColumns)) {
    const keys = await findKeys(database, table, {
      columns,
      from: OWN,
      // The export itself is one of them.
      where: `${isAbout(table, columns)} ${table === 'person_jobs' ? 'AND t.finished_at IS NOT NULL' : ''}`,
      values: [organizationId, mentionIn(table, email), ...own.values, ...keysOfRows],
    });
    for (const group of inGroups(keys)) yield { table, keys: group };
  }
}

/**
 * Reads what `findPerson` has found, unless it became another person's since, with the columns of the same classification (`@Holds`), so that
 * a new column is in both.
 */
export async function readPerson(
  database: Transactions,
  { organizationId, email: given }: { organizationId: string; email: string },
  { table, keys }: PersonRows,
): Promise<FiledRows> {
  const email = normalizeEmail(given);
  const rows = await database.transaction(async (manager) => {
    const columns = (await personalColumns(manager)).get(table) ?? [];
    const key = await keyOf(manager, table);
    const shown = [...new Set([...key.map(({ name }) => name), ...columns.map(({ column }) => column)])];
    const names = [...shown.map((name) => `t."${name}"`), ...(ALSO[table] ?? [])];
    const arrays = key.map(({ type }, i) => `$${i + 8}::${type}[]`).join(', ');
    const order = key.map(({ name }) => `t."${name}"`).join(', ');
    const named = key.map((_, i) => keys.map((each) => each.key[i]));
    const { values } = await ownRows(manager, organizationId, email, RELATED[table] ?? '');
    // Import rows stay what they are.
    const ofRows = table === 'import_rows' ? named : [[], []];
    return manager.query(
      `SELECT ${names.join(', ')} FROM "${table}" t ${OWN}
        WHERE t.organization_id = $1 AND (${order}) IN (SELECT * FROM unnest(${arrays})) AND ${isAbout(table, columns)}
        ORDER BY ${order}`,
      [organizationId, mentionIn(table, email), ...values, ...ofRows, ...named],
    );
  });
  return { table, rows };
}

/** Everything that is known of a person. */
export async function* personFile(
  database: Transactions,
  person: { organizationId: string; email: string },
): AsyncGenerator<FiledRows, void> {
  for await (const found of findPerson(database, person)) yield readPerson(database, person, found);
}

/**
 * The entries of the person, the bookings that have their address, and the values of the first parameters of OWN.
 *
 * @param related only for this condition: bookings are searched as a whole, which one that does not name them needs not
 */
async function ownRows(
  manager: EntityManager,
  organizationId: string,
  email: string,
  related = 'own.bookings',
) {
  const entries = ownOf(await entriesReachedAt(manager, organizationId, email));
  const booked = related.includes('own.bookings')
    ? await BOOKED.rows(manager, [organizationId, mentionOf([email])])
    : [];
  const values = [
    entries.map(({ id }) => id),
    entries.map(({ participantId }) => participantId),
    [...entries.filter(isBooker).map(({ bookingId }) => bookingId), ...booked.map(({ id }) => id)],
  ];
  return { entries, booked, values };
}

const mentionIn = (table: string, email: string): string[] =>
  table === 'idempotency_keys' ? mentionInIdsOf([email]) : mentionOf([email]);

const OWN = `CROSS JOIN (SELECT $3::uuid[] AS entries, $4::uuid[] AS participants, $5::uuid[] AS bookings,
        $6::uuid[] AS jobs, $7::int[] AS places) own`;

/** Whether a row `t` is about the person. */
const isAbout = (table: string, columns: readonly CatalogColumn[]): string =>
  `(${[...columns.map(({ column }) => mentions(`t."${column}"::text`, '$2')), RELATED[table] ?? 'false'].join(' OR ')})`;

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
  line_items: `t.participant_id = ANY (own.participants)
    OR t.participant_id IS NULL AND t.booking_id = ANY (own.bookings)`,
  race_day_log: 't.participant_id = ANY (own.participants)',
  race_day_fields: 't.participant_id = ANY (own.participants)',
  teams: `t.id IN (SELECT e.team_id FROM start_list_entries e WHERE e.organization_id = $1 AND e.id = ANY (own.entries))`,
  import_rows: '(t.job_id, t.row_number) IN (SELECT * FROM unnest(own.jobs, own.places))',
  audit_log: `t.changes IS NOT NULL AND t.object_id IN (
    SELECT unnest(own.entries || own.participants || own.bookings)::text)`,
};
