import type { EntityManager } from 'typeorm';
import { addOnsToUndo, bookingsToUndo, lineItemsToUndo } from '#domain/bookings';
import { creditsToUndo } from '#domain/credits';
import { discountCodesToUndo } from '#domain/discounts';
import { referralsToUndo } from '#domain/referrals';
import { type Actor, audit } from '#platform/access';
import { newId, statement, typed } from '#platform/database';
import type { ImportSurface } from './definitions';
import type { ImportUndoPreview, UndoGroup } from './import-undo.dto';
import { OPEN_UNDO, type OpenJob } from './open-jobs';

const EXAMPLES = 20;

/** How the records of an import are found: the property of its outcomes with the id, and a SELECT of the record with an id. */
interface Undoable {
  id: string;
  /** `id`; `final`, why it can't be undone; `changes`, what others did to it since the import. */
  record(organizationId: string, id: string): string;
}

/** Their definitions have the handlers. */
const RECORDS: Record<ImportSurface, Undoable> = {
  bookingsImport: { id: 'bookingId', record: bookingsToUndo },
  lineItemsImport: { id: 'lineItemId', record: lineItemsToUndo },
  addOnsImport: { id: 'allocationId', record: addOnsToUndo },
  referralsImport: { id: 'referralId', record: referralsToUndo },
  reservedEntriesImport: { id: 'bookingId', record: bookingsToUndo },
  creditsImport: { id: 'creditId', record: creditsToUndo },
  discountCodesImport: { id: 'discountCodeId', record: discountCodesToUndo },
};

/**
 * `NOT_UNDOABLE`: a dry run, or not an import. `NOTHING`: it has no record to cancel. `NARROWER_UNDO`: an
 * unfinished undo skips the records that have changed, which this request includes.
 */
export type UndoRefusal = 'MISSING' | 'NOT_UNDOABLE' | 'NOT_FINISHED' | 'NOTHING' | 'NARROWER_UNDO';

/** For people. */
export const UNDO_REFUSALS: Record<Exclude<UndoRefusal, 'MISSING'>, string> = {
  NOT_UNDOABLE:
    'Only imports can be undone, and neither dry runs nor jobs that undo an import or change participants.',
  NOT_FINISHED: 'The import is not finished. Wait until it is, or cancel it.',
  NOTHING:
    'There is no record to cancel. Records that have changed since the import are only cancelled on request.',
  NARROWER_UNDO:
    'The import is already being undone without the records that have changed since. Wait until that job is finished, or cancel it.',
};

export interface UndoRequest extends OpenJob {
  /** Also cancels records that have changed since they were imported. */
  includeChanged: boolean;
  /** Who sent it, if no key or member did. */
  source: string | null;
  /** The key or the member who sent it. */
  sentBy?: string;
  requestId?: string;
}

const job = (lock: string) =>
  statement({
    parameters: ['uuid', 'uuid'],
    columns: { surface: typed<ImportSurface>('text'), finished: 'boolean', undoable: 'boolean' },
    sql: `
      SELECT surface, status IN ('COMPLETED', 'FAILED') AS finished,
        mode NOT IN ('UNDO', 'CHANGE') AND NOT dry_run AS undoable
      FROM import_jobs WHERE organization_id = $1 AND id = $2 ${lock}
    `,
  });
const READ_JOB = job('');
/** So that of several requests at the same time one makes the job. */
const LOCK_JOB = job('FOR NO KEY UPDATE');

/**
 * The records that a job made or corrected, with the group of each. Under row-level security a cast cannot be compared with an index, so the
 * ids are read first; and the limit has each record looked up by its id, instead of all of the organization.
 */
const found = ({ id, record }: Undoable) => /* sql */ `
  imported AS MATERIALIZED (
    SELECT organization_id, row_number, (result->>'${id}')::uuid AS id, external_id, outcome
    FROM import_rows WHERE organization_id = $1 AND job_id = $2 AND outcome IN ('IMPORTED', 'UPDATED')
  ), found AS MATERIALIZED (
    SELECT row_number, id, external_id, reasons,
      CASE WHEN final IS NOT NULL THEN 'cannotBeUndone' WHEN reasons = '{}' THEN 'canBeUndone' ELSE 'changedSince' END AS kind
    FROM (
      SELECT r.row_number, r.id, r.external_id, why.final,
        CASE WHEN why.final IS NULL THEN b.changes ELSE ARRAY[why.final] END AS reasons
      FROM imported r
      LEFT JOIN LATERAL (${record('r.organization_id', 'r.id')} LIMIT 1) b ON true
      CROSS JOIN LATERAL (SELECT CASE WHEN b.id IS NULL THEN 'DELETED' WHEN b.final IS NOT NULL THEN b.final
        WHEN r.outcome = 'UPDATED' THEN 'CORRECTED' END AS final) why
    ) records
  )`;

const preview = (of: Undoable) =>
  statement({
    parameters: ['uuid', 'uuid'],
    columns: {
      kind: typed<keyof ImportUndoPreview>('text'),
      records: 'int',
      reasons: typed<UndoGroup['reasons']>('json'),
      examples: typed<UndoGroup['examples']>('json'),
    },
    sql: `
      WITH ${found(of)}
      SELECT kind, (SELECT count(*)::int FROM found f WHERE f.kind = groups.kind) AS records,
        (SELECT coalesce(json_agg(json_build_object('reason', reason, 'records', records) ORDER BY records DESC, reason), '[]')
          FROM (SELECT reason, count(*)::int AS records FROM found f CROSS JOIN unnest(f.reasons) reason
            WHERE f.kind = groups.kind GROUP BY reason) counted) AS reasons,
        (SELECT coalesce(json_agg(json_build_object('row', row_number, 'id', id,
            'externalId', external_id, 'reasons', reasons) ORDER BY row_number), '[]')
          FROM (SELECT * FROM found f WHERE f.kind = groups.kind ORDER BY row_number LIMIT ${EXAMPLES}) first) AS examples
      FROM (VALUES ('canBeUndone'), ('changedSince'), ('cannotBeUndone')) groups (kind)
    `,
  });

/** The job and its rows in one statement; no job if there is no row. */
const insert = (of: Undoable) =>
  statement({
    parameters: ['uuid', 'uuid', 'uuid', 'boolean', 'text?', 'text?', 'text', 'uuid?'],
    columns: { records: 'int' },
    sql: `
      WITH ${found(of)}, chosen AS MATERIALIZED (
        SELECT row_number() OVER (ORDER BY row_number) - 1 AS place, id, external_id
        FROM found WHERE kind = 'canBeUndone' OR $4 AND kind = 'changedSince'
      ), job AS (
        INSERT INTO import_jobs (organization_id, id, surface, mode, undoes_job_id, total_rows, source, request_id, sent_by_member_id)
        SELECT $1, $3, $7, 'UNDO', $2, count(*),
          coalesce((SELECT name FROM api_keys WHERE organization_id = $1 AND id = $8), $5), $6,
          (SELECT id FROM staff_members WHERE organization_id = $1 AND id = $8)
        FROM chosen HAVING count(*) > 0
        RETURNING organization_id, id, total_rows
      ), rows AS (
        INSERT INTO import_rows (organization_id, job_id, row_number, external_id, payload)
        SELECT job.organization_id, job.id, place, external_id,
          jsonb_build_object('${of.id}', chosen.id, 'evenIfChanged', $4::boolean)
        FROM chosen CROSS JOIN job
      )
      SELECT total_rows AS records FROM job
    `,
  });

const byRecord = <S>(make: (of: Undoable) => S): Record<ImportSurface, S> =>
  Object.fromEntries(Object.entries(RECORDS).map(([surface, of]) => [surface, make(of)])) as Record<
    ImportSurface,
    S
  >;
const PREVIEWS = byRecord(preview);
const INSERTS = byRecord(insert);

/** What undoing an import would do. */
export async function previewUndo(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
): Promise<ImportUndoPreview | UndoRefusal> {
  const job = await undoableOf(manager, { organizationId, jobId }, READ_JOB);
  if (typeof job === 'string') return job;
  const groups = await PREVIEWS[job.surface].rows(manager, [organizationId, jobId]);
  return Object.fromEntries(
    groups.map(({ kind, ...group }) => [kind, group]),
  ) as unknown as ImportUndoPreview;
}

/**
 * Makes a job that cancels the records of an import. Call it in a transaction, and enqueue `imports` after it. While such
 * a job is not finished, it answers that job: a repeated request starts no second one.
 */
export async function undoImport(
  manager: EntityManager,
  { organizationId, jobId, includeChanged, source, sentBy, requestId }: UndoRequest,
  by: Actor,
): Promise<{ jobId: string } | UndoRefusal> {
  const job = await undoableOf(manager, { organizationId, jobId }, LOCK_JOB);
  if (typeof job === 'string') return job;
  const open = await OPEN_UNDO.first(manager, [organizationId, jobId]);
  if (open) return includeChanged && !open.includesChanged ? 'NARROWER_UNDO' : { jobId: open.id };
  const undoJobId = newId();
  const made = await INSERTS[job.surface].first(manager, [
    organizationId,
    jobId,
    undoJobId,
    includeChanged,
    source,
    requestId ?? null,
    job.surface,
    sentBy ?? null,
  ]);
  if (!made) return 'NOTHING';
  await audit(manager, by, {
    organizationId,
    action: 'import.undo',
    objectType: 'import_job',
    objectId: jobId,
    details: { undoJobId, records: made.records, includeChanged },
  });
  return { jobId: undoJobId };
}

async function undoableOf(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  reads: typeof READ_JOB,
): Promise<{ surface: ImportSurface } | UndoRefusal> {
  const found = await reads.first(manager, [organizationId, jobId]);
  if (!found) return 'MISSING';
  if (!found.undoable) return 'NOT_UNDOABLE';
  return found.finished ? found : 'NOT_FINISHED';
}
