import type { EntityManager } from 'typeorm';
import { statement } from '#libs/database';
import {
  erasedId,
  failed,
  type ImportMode,
  type ImportRow,
  mayBeErased,
  problem,
  type RowOutcome,
} from '#libs/import-rows';
import type { OpenJob } from './open-jobs';

/** The properties of rows that identify records. */
const ID = /^(external[A-Z]\w*Id|referredExternalBookingId)$/;
const ERASED = problem('NOT_CORRECTABLE', 'The row names a record of an erased person.');

const KNOWN = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'text!' },
  sql: `
    SELECT external_booking_id AS id FROM bookings WHERE organization_id = $1 AND external_booking_id = ANY ($2)
    UNION SELECT external_line_item_id FROM line_items WHERE organization_id = $1 AND external_line_item_id = ANY ($2)
    UNION SELECT external_allocation_id FROM add_on_allocations
      WHERE organization_id = $1 AND external_allocation_id = ANY ($2)
    UNION SELECT external_assignment_id FROM start_list_entries
      WHERE organization_id = $1 AND external_assignment_id = ANY ($2)
    UNION SELECT external_credit_id FROM credits WHERE organization_id = $1 AND external_credit_id = ANY ($2)
  `,
});

const FORGET = statement({
  parameters: ['uuid', 'uuid', 'int[]', 'text[]', 'text[]'],
  sql: `
    UPDATE import_rows r SET payload = '{}', external_id = coalesce(
      (SELECT named.erased FROM unnest($4::text[], $5::text[]) named (id, erased) WHERE named.id = btrim(r.external_id)),
      r.external_id)
    WHERE r.organization_id = $1 AND r.job_id = $2 AND r.row_number = ANY ($3)
  `,
});

/**
 * Rows that name records of erased persons by ids that were replaced. They get the replaced ids, so that the records are found; and
 * what was sent is not kept. Corrections of such records fail.
 *
 * @returns the rows to import, and the outcomes of the others
 */
export async function withoutErased(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  secret: string | undefined,
  mode: ImportMode,
  rows: ImportRow<unknown>[],
): Promise<{ rows: ImportRow<unknown>[]; refused: RowOutcome[] }> {
  const named = rows.flatMap((row) =>
    Object.entries(row.payload as object)
      .filter(([name, id]) => ID.test(name) && typeof id === 'string' && mayBeErased(id))
      .map(([name, id]: [string, string]) => ({ row, name, id })),
  );
  if (!secret || named.length === 0) return { rows, refused: [] };
  const hashes = new Map(named.map(({ id }) => [id, erasedId(secret, organizationId, id)]));
  const known = new Set(
    (await KNOWN.rows(manager, [organizationId, [...hashes.values()]])).map(({ id }) => id),
  );
  const erased = named.filter(({ id }) => known.has(hashes.get(id) as string));
  if (erased.length === 0) return { rows, refused: [] };
  for (const { row, name, id } of erased) (row.payload as Record<string, unknown>)[name] = hashes.get(id);
  const numbers = new Set(erased.map(({ row }) => row.row));
  await FORGET.run(manager, [
    organizationId,
    jobId,
    [...numbers],
    erased.map(({ id }) => id),
    erased.map(({ id }) => hashes.get(id) as string),
  ]);
  if (mode === 'CREATE') return { rows, refused: [] };
  return {
    rows: rows.filter(({ row }) => !numbers.has(row)),
    refused: [...numbers].map((row) => failed(row, ERASED)),
  };
}
