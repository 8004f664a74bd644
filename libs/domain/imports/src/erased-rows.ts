import type { EntityManager } from 'typeorm';
import { statement, typed } from '#platform/database';
import {
  assignedBy,
  failed,
  type ImportMode,
  type ImportRow,
  problem,
  type RowOutcome,
} from '#platform/import-rows';
import { erasedId, mayBeErased, trimProperties } from '#platform/validation';
import { IMPORTS, type ImportSurface } from './definitions';
import type { OpenJob } from './open-jobs';

/** The properties of rows that name records, with the records' columns. */
const NAMED: Readonly<Record<string, string>> = {
  externalBookingId: 'external_booking_id',
  referredExternalBookingId: 'external_booking_id',
  externalLineItemId: 'external_line_item_id',
  externalAllocationId: 'external_allocation_id',
  externalAssignmentId: 'external_assignment_id',
  externalCreditId: 'external_credit_id',
  // Of a line item: the credit that it spends.
  itemId: 'external_credit_id',
};
/** The tables of the columns, and the condition of the rows whose ids must be unique. It begins with a column. */
const RECORDS = [
  ['bookings', 'external_booking_id', "status = 'CONFIRMED'"],
  ['line_items', 'external_line_item_id', 'released_at IS NULL'],
  ['add_on_allocations', 'external_allocation_id', 'released_at IS NULL'],
  ['start_list_entries', 'external_assignment_id', 'cancelled_at IS NULL'],
  ['credits', 'external_credit_id', 'id IS NOT NULL'],
] as const;
const ERASED = problem('', 'NOT_CORRECTABLE', 'The row names a record of an erased person.');

/** Each partner has ids of assignments of its own, which say nothing about those of others. */
const OWN: Readonly<Record<string, (row: string) => string>> = {
  external_assignment_id: (row) => `AND ${row}.assigned_by = $5`,
};

/** The ids that only records of erased persons have. An id that a record still has is that record's. */
const KNOWN = statement({
  parameters: ['uuid', 'text[]', 'text[]', 'text[]', 'uuid'],
  columns: { column: 'text', id: 'text!', isLive: 'boolean' },
  sql: `
    WITH given AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) given (name, plain, erased))
    ${RECORDS.map(
      ([
        table,
        column,
        live,
      ]) => `SELECT '${column}' AS column, given.plain AS id, bool_or(r.${live}) AS "isLive"
    FROM given JOIN ${table} r ON r.organization_id = $1 AND r.${column} = given.erased ${OWN[column]?.('r') ?? ''}
    WHERE given.name = '${column}'
      AND NOT EXISTS (SELECT FROM ${table} p WHERE p.organization_id = $1 AND p.${column} = given.plain ${OWN[column]?.('p') ?? ''})
    GROUP BY given.plain`,
    ).join('\n    UNION ALL ')}
  `,
});

const FORGET = statement({
  parameters: ['uuid', 'uuid', 'int[]', 'text[]', 'text[]'],
  sql: `
    UPDATE import_rows r SET payload = '{}', external_id = coalesce(
      (SELECT named.erased FROM unnest($4::text[], $5::text[]) named (id, erased) WHERE named.id = trimmed(r.external_id)
        LIMIT 1),
      r.external_id)
    WHERE r.organization_id = $1 AND r.job_id = $2 AND r.row_number = ANY ($3)
  `,
});

/** Invalid rows with such properties: only these, because the rest can be large. What is longer than an id is none. */
const INVALID = statement({
  parameters: ['uuid', 'uuid', 'text[]'],
  columns: { row: 'int', payload: typed<Record<string, string>>('jsonb!') },
  sql: `
    SELECT r.row_number AS row, (SELECT jsonb_object_agg(key, left(value, 300)) FROM jsonb_each_text(r.payload) WHERE key = ANY ($3))
      AS payload
    FROM import_rows r WHERE r.organization_id = $1 AND r.job_id = $2 AND r.outcome = 'FAILED' AND r.payload ?| $3
  `,
});

/** A row that names records of erased persons by ids that were replaced. */
export interface ErasedRow {
  /** The replaced ids, by property. */
  ids: Record<string, string>;
  /** Whether the row's own record is one of them, and if it is, whether that record still counts. */
  own: 'NO' | 'LIVE' | 'CANCELLED';
}

/**
 * The rows that name records of erased persons by ids that were replaced: the ids are looked up as they are, then as hashes.
 *
 * @param secret ERASURE_SECRET
 */
export async function erasedRows(
  manager: EntityManager,
  {
    organizationId,
    surface,
    partnerId,
  }: { organizationId: string; surface: ImportSurface; partnerId: string | null },
  secret: string | undefined,
  rows: ImportRow<unknown>[],
): Promise<Map<number, ErasedRow>> {
  const found = new Map<number, ErasedRow>();
  if (!secret) return found;
  const named = rows.flatMap(({ row, payload }) =>
    Object.entries(payload as object)
      .filter(([name, id]) => Object.hasOwn(NAMED, name) && typeof id === 'string' && mayBeErased(id))
      .map(([name, id]: [string, string]) => ({
        row,
        name,
        id,
        erased: erasedId(secret, organizationId, id),
      })),
  );
  if (named.length === 0) return found;
  const known = await KNOWN.rows(manager, [
    organizationId,
    named.map(({ name }) => NAMED[name] as string),
    named.map(({ id }) => id),
    named.map(({ erased }) => erased),
    assignedBy(partnerId),
  ]);
  const isLive = new Map(known.map(({ column, id, isLive }) => [`${column} ${id}`, isLive]));
  for (const { row, name, id, erased } of named) {
    const live = isLive.get(`${NAMED[name]} ${id}`);
    if (live === undefined) continue;
    const each = found.get(row) ?? { ids: {}, own: 'NO' as const };
    const own = name === IMPORTS[surface].externalId ? (live ? 'LIVE' : 'CANCELLED') : each.own;
    found.set(row, { ids: { ...each.ids, [name]: erased }, own });
  }
  return found;
}

/**
 * Gives rows of a job that name records of erased persons the replaced ids, so that the records are found; and what was sent is
 * not kept. Corrections of such records fail, and rows whose record was cancelled too: they would create the person again.
 *
 * @returns the rows to import, and the outcomes of the others
 */
export async function withoutErased(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  secret: string | undefined,
  { mode, surface, partnerId }: { mode: ImportMode; surface: ImportSurface; partnerId: string | null },
  rows: ImportRow<unknown>[],
): Promise<{ rows: ImportRow<unknown>[]; refused: RowOutcome[] }> {
  const erased = await erasedRows(manager, { organizationId, surface, partnerId }, secret, rows);
  if (erased.size === 0) return { rows, refused: [] };
  const replaced: { id: string; erased: string }[] = [];
  const named = rows.map((row) => {
    const ids = erased.get(row.row)?.ids;
    if (!ids) return row;
    const payload = row.payload as Record<string, unknown>;
    for (const [name, hash] of Object.entries(ids))
      replaced.push({ id: String(payload[name]), erased: hash });
    return { ...row, payload: { ...payload, ...ids } };
  });
  await FORGET.run(manager, [
    organizationId,
    jobId,
    [...erased.keys()],
    replaced.map(({ id }) => id),
    replaced.map((each) => each.erased),
  ]);
  const isRefused = (row: number) => {
    const own = erased.get(row)?.own;
    return own !== undefined && (mode !== 'CREATE' || own === 'CANCELLED');
  };
  return {
    rows: named.filter(({ row }) => !isRefused(row)),
    refused: rows.filter(({ row }) => isRefused(row)).map(({ row }) => failed(row, ERASED)),
  };
}

/** Of a new job: of its invalid rows, which no worker reads, what was sent is not kept either. */
export async function forgetErased(
  manager: EntityManager,
  job: OpenJob,
  secret: string | undefined,
  of: { mode: ImportMode; surface: ImportSurface; partnerId: string | null },
): Promise<void> {
  if (!secret) return;
  const rows = await INVALID.rows(manager, [job.organizationId, job.jobId, Object.keys(NAMED)]);
  for (const { payload } of rows) trimProperties(payload);
  await withoutErased(manager, job, secret, of, rows);
}
