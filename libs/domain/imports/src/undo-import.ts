import type { EntityManager } from 'typeorm';
import { bookingsToUndo, type ChangeSinceImport } from '#domain/bookings';
import { type Actor, audit } from '#platform/access';
import { newId, statement, typed } from '#platform/database';
import { OPEN_UNDO, type OpenJob } from './open-jobs';

const EXAMPLES = 20;

/** Why a booking has changed since the import, or can't be undone. */
export type UndoReason = ChangeSinceImport | 'ALREADY_CANCELLED' | 'CORRECTED';

export interface UndoGroup {
  bookings: number;
  reasons: { reason: UndoReason; bookings: number }[];
  examples: { row: number; bookingId: string; externalBookingId: string | null; reasons: UndoReason[] }[];
}

export interface UndoPreview {
  canBeUndone: UndoGroup;
  changedSince: UndoGroup;
  cannotBeUndone: UndoGroup;
}

/**
 * `NOT_UNDOABLE`: not an import of bookings, or a dry run. `NOTHING`: it has no booking to cancel. `NARROWER_UNDO`: an
 * unfinished undo skips the bookings that have changed, which this request includes.
 */
export type UndoRefusal = 'MISSING' | 'NOT_UNDOABLE' | 'NOT_FINISHED' | 'NOTHING' | 'NARROWER_UNDO';

/** For people. */
export const UNDO_REFUSALS: Record<Exclude<UndoRefusal, 'MISSING'>, string> = {
  NOT_UNDOABLE: 'Only imports of bookings can be undone, and neither dry runs nor jobs that undo an import.',
  NOT_FINISHED: 'The import is not finished. Wait until it is, or cancel it.',
  NOTHING:
    'There is no booking to cancel. Bookings that have changed since the import are only cancelled on request.',
  NARROWER_UNDO:
    'The import is already being undone without the bookings that have changed since. Wait until that job is finished, or cancel it.',
};

export interface UndoRequest extends OpenJob {
  /** Also cancels bookings that have changed since they were imported. */
  includeChanged: boolean;
  /** Who sent it, as the list of jobs shows it. */
  source: string;
  requestId?: string;
}

const job = (lock: string) =>
  statement({
    parameters: ['uuid', 'uuid'],
    columns: { finished: 'boolean', undoable: 'boolean' },
    sql: `
      SELECT status IN ('COMPLETED', 'FAILED') AS finished,
        surface = 'bookingsImport' AND mode <> 'UNDO' AND NOT dry_run AS undoable
      FROM import_jobs WHERE organization_id = $1 AND id = $2 ${lock}
    `,
  });
const READ_JOB = job('');
/** So that of several requests at the same time one makes the job. */
const LOCK_JOB = job('FOR NO KEY UPDATE');

/** The bookings that a job made or corrected, with the group of each. */
const FOUND = /* sql */ `
  found AS MATERIALIZED (
    SELECT *, CASE WHEN is_final THEN 'cannotBeUndone' WHEN reasons = '{}' THEN 'canBeUndone' ELSE 'changedSince' END AS kind
    FROM (
      SELECT r.row_number, b.id, b.external_booking_id, b.is_cancelled OR r.outcome = 'UPDATED' AS is_final,
        CASE WHEN b.is_cancelled THEN '{ALREADY_CANCELLED}' WHEN r.outcome = 'UPDATED' THEN '{CORRECTED}'
          ELSE b.changes END AS reasons
      FROM import_rows r
      CROSS JOIN LATERAL (${bookingsToUndo('r.organization_id', "(r.result->>'bookingId')::uuid")}) b
      WHERE r.organization_id = $1 AND r.job_id = $2 AND r.outcome IN ('IMPORTED', 'UPDATED')
    ) bookings
  )`;

const PREVIEW = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    kind: typed<keyof UndoPreview>('text'),
    bookings: 'int',
    reasons: typed<UndoGroup['reasons']>('json'),
    examples: typed<UndoGroup['examples']>('json'),
  },
  sql: `
    WITH ${FOUND}
    SELECT kind, (SELECT count(*)::int FROM found f WHERE f.kind = groups.kind) AS bookings,
      (SELECT coalesce(json_agg(json_build_object('reason', reason, 'bookings', bookings) ORDER BY bookings DESC, reason), '[]')
        FROM (SELECT reason, count(*)::int AS bookings FROM found f CROSS JOIN unnest(f.reasons) reason
          WHERE f.kind = groups.kind GROUP BY reason) counted) AS reasons,
      (SELECT coalesce(json_agg(json_build_object('row', row_number, 'bookingId', id,
          'externalBookingId', external_booking_id, 'reasons', reasons) ORDER BY row_number), '[]')
        FROM (SELECT * FROM found f WHERE f.kind = groups.kind ORDER BY row_number LIMIT ${EXAMPLES}) first) AS examples
    FROM (VALUES ('canBeUndone'), ('changedSince'), ('cannotBeUndone')) groups (kind)
  `,
});

/** The job and its rows in one statement; no job if there is no row. */
const INSERT = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'boolean', 'text', 'text?'],
  columns: { bookings: 'int' },
  sql: `
    WITH ${FOUND}, chosen AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY row_number) - 1 AS place, id, external_booking_id
      FROM found WHERE kind = 'canBeUndone' OR $4 AND kind = 'changedSince'
    ), job AS (
      INSERT INTO import_jobs (organization_id, id, surface, mode, undoes_job_id, total_rows, source, request_id)
      SELECT $1, $3, 'bookingsImport', 'UNDO', $2, count(*), $5, $6 FROM chosen HAVING count(*) > 0
      RETURNING organization_id, id, total_rows
    ), rows AS (
      INSERT INTO import_rows (organization_id, job_id, row_number, external_id, payload)
      SELECT job.organization_id, job.id, place, external_booking_id,
        jsonb_build_object('bookingId', chosen.id, 'evenIfChanged', $4::boolean)
      FROM chosen CROSS JOIN job
    )
    SELECT total_rows AS bookings FROM job
  `,
});

/** What undoing an import of bookings would do. */
export async function previewUndo(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
): Promise<UndoPreview | UndoRefusal> {
  const refusal = await refusalOf(manager, { organizationId, jobId }, READ_JOB);
  if (refusal) return refusal;
  const groups = await PREVIEW.rows(manager, [organizationId, jobId]);
  return Object.fromEntries(groups.map(({ kind, ...group }) => [kind, group])) as unknown as UndoPreview;
}

/**
 * Makes a job that cancels the bookings of an import. Call it in a transaction, and enqueue `imports` after it. While such
 * a job is not finished, it answers that job: a repeated request starts no second one.
 */
export async function undoImport(
  manager: EntityManager,
  { organizationId, jobId, includeChanged, source, requestId }: UndoRequest,
  by: Actor,
): Promise<{ jobId: string } | UndoRefusal> {
  const refusal = await refusalOf(manager, { organizationId, jobId }, LOCK_JOB);
  if (refusal) return refusal;
  const open = await OPEN_UNDO.first(manager, [organizationId, jobId]);
  if (open) return includeChanged && !open.includesChanged ? 'NARROWER_UNDO' : { jobId: open.id };
  const undoJobId = newId();
  const made = await INSERT.first(manager, [
    organizationId,
    jobId,
    undoJobId,
    includeChanged,
    source,
    requestId ?? null,
  ]);
  if (!made) return 'NOTHING';
  await audit(manager, by, {
    organizationId,
    action: 'import.undo',
    objectType: 'import_job',
    objectId: jobId,
    details: { undoJobId, bookings: made.bookings, includeChanged },
  });
  return { jobId: undoJobId };
}

async function refusalOf(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  reads: typeof READ_JOB,
): Promise<UndoRefusal | undefined> {
  const found = await reads.first(manager, [organizationId, jobId]);
  if (!found) return 'MISSING';
  if (!found.undoable) return 'NOT_UNDOABLE';
  return found.finished ? undefined : 'NOT_FINISHED';
}
