import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { erasedId } from '#platform/validation';
import { mentionInIdsOf, mentions } from './mention';
import type { Removal } from './removal';

/** Of whom, and with which key, external ids are replaced. */
export interface IdErasure {
  organizationId: string;
  /** The addresses, from `normalizeEmail`. */
  emails: readonly string[];
  /** ERASURE_SECRET. Without it, ids are replaced by random ones, and an import of the same row creates it again. */
  secret: string | undefined;
}

const idsOf = (table: string, column: string, scope: 'id' | 'booking_id') => ({
  find: statement({
    parameters: ['uuid', 'uuid[]', 'text[]'],
    columns: { id: 'uuid', given: 'text!' },
    sql: `
      SELECT id, ${column} AS given FROM ${table}
      WHERE organization_id = $1 AND ${scope} = ANY ($2) AND ${mentions(column, '$3')} ORDER BY id
    `,
  }),
  replace: statement({
    parameters: ['uuid', 'uuid[]', 'text[]'],
    columns: { id: 'uuid' },
    sql: `
      UPDATE ${table} t SET ${column} = named.erased FROM unnest($2::uuid[], $3::text[]) named (id, erased)
      WHERE t.organization_id = $1 AND t.id = named.id RETURNING t.id
    `,
  }),
});

/** The external ids of records, by the ids of the records or of their bookings. Other systems may have made them from an address. */
const OWN_IDS = {
  bookings: [idsOf('bookings', 'external_booking_id', 'id')],
  line_items: ['external_line_item_id', 'item_id', 'item_selection_id'].map((column) =>
    idsOf('line_items', column, 'booking_id'),
  ),
  add_on_allocations: [idsOf('add_on_allocations', 'external_allocation_id', 'booking_id')],
  start_list_entries: [idsOf('start_list_entries', 'external_assignment_id', 'id')],
  credits: [idsOf('credits', 'external_credit_id', 'id')],
};

/** Line items that name the credit that they spend by its external id name it by its id. Its balance must not change. */
const nameSpent = (scope: string) =>
  statement({
    parameters: ['uuid', 'uuid[]', 'text[]'],
    columns: { id: 'uuid' },
    sql: `
      UPDATE line_items l SET item_id = c.id::text FROM credits c
      WHERE l.organization_id = $1 AND c.organization_id = $1 AND ${scope} = ANY ($2) AND l.item_type = 'CREDIT'
        AND l.item_id = c.external_credit_id AND ${mentions('l.item_id', '$3')} RETURNING l.id
    `,
  });
const NAME_SPENT: Partial<Record<string, ReturnType<typeof nameSpent>>> = {
  line_items: nameSpent('l.booking_id'),
  credits: nameSpent('c.id'),
};

const REPORTED = statement({
  parameters: ['uuid', 'uuid[]', 'int[]', 'text[]'],
  columns: { job_id: 'uuid', row_number: 'int', external_id: 'text?', result: 'jsonb?' },
  sql: `
    SELECT r.job_id, r.row_number, r.external_id, r.result
    FROM import_rows r JOIN unnest($2::uuid[], $3::int[]) named (job_id, row_number)
      ON r.job_id = named.job_id AND r.row_number = named.row_number
    WHERE r.organization_id = $1 AND r.outcome IS NOT NULL
      AND (${mentions('r.external_id', '$4')} OR ${mentions('r.result::text', '$4')})
  `,
});

const REPORT = statement({
  parameters: ['uuid', 'json'],
  columns: { job_id: 'uuid', row_number: 'int' },
  sql: `
    UPDATE import_rows r SET external_id = named.external_id, result = named.result
    FROM json_to_recordset($2) named (job_id uuid, row_number int, external_id text, result jsonb)
    WHERE r.organization_id = $1 AND r.job_id = named.job_id AND r.row_number = named.row_number
    RETURNING r.job_id, r.row_number
  `,
});

const replacement = ({ organizationId, secret }: IdErasure, id: string): string =>
  secret ? erasedId(secret, organizationId, id) : `erased-${randomUUID()}`;

/** Replaces ids that contain an address of the person, completely: an address in an id has no certain beginning. */
export async function eraseOwnIds(
  manager: EntityManager,
  removal: Removal,
  erasure: IdErasure,
  of: Partial<Record<keyof typeof OWN_IDS, readonly string[]>>,
): Promise<void> {
  const { organizationId, emails } = erasure;
  const mention = mentionInIdsOf(emails);
  for (const [table, scope] of Object.entries(of)) {
    const spent = await NAME_SPENT[table]?.rows(manager, [organizationId, scope, mention]);
    removal.add('line_items', spent ?? []);
    for (const { find, replace } of OWN_IDS[table as keyof typeof OWN_IDS]) {
      const found = await find.rows(manager, [organizationId, scope, mention]);
      if (found.length === 0) continue;
      const erased = found.map(({ given }) => replacement(erasure, given));
      removal.add(table, await replace.rows(manager, [organizationId, found.map(({ id }) => id), erased]));
    }
  }
}

/** The same in import rows about the person: their ids, and the ids in their results. */
export async function eraseReportedIds(
  manager: EntityManager,
  removal: Removal,
  erasure: IdErasure,
  rows: readonly { jobId: string; row: number }[],
): Promise<void> {
  const { organizationId, emails } = erasure;
  const found = await REPORTED.rows(manager, [
    organizationId,
    rows.map(({ jobId }) => jobId),
    rows.map(({ row }) => row),
    mentionInIdsOf(emails),
  ]);
  if (found.length === 0) return;
  const isNamed = (text: string) => {
    const spelled = text.normalize('NFC').toLowerCase().replaceAll('%40', '@');
    return emails.some((email) => spelled.includes(email.normalize('NFC')));
  };
  const without = (value: unknown): unknown => {
    if (typeof value === 'string') return isNamed(value) ? replacement(erasure, value) : value;
    if (Array.isArray(value)) return value.map(without);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, without(each)]));
  };
  const changed = found.map(({ external_id, result, ...key }) => ({
    ...key,
    external_id: without(external_id),
    result: without(result),
  }));
  removal.add('import_rows', await REPORT.rows(manager, [organizationId, JSON.stringify(changed)]));
}
