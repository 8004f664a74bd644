import type { EntityManager } from 'typeorm';
import type { ParticipantsChange } from '#domain/bookings';
import { type Actor, audit } from '#platform/access';
import { newId, statement } from '#platform/database';
import { OPEN_UNDO, type OpenJob } from './open-jobs';

/** The most participants of a job. */
export const MOST_CHANGED = 50_000;

/** The job and its rows in one statement; no job if there are too many or none, or not all that were named. */
const INSERT = statement({
  parameters: [
    ...(['uuid', 'uuid', 'jsonb', 'int', 'text?'] as const),
    ...(['uuid[]?', 'uuid?', 'uuid?', 'uuid?', 'text?', 'text?'] as const),
  ],
  columns: { found: 'int', rows: 'int?' },
  sql: `
    WITH chosen AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY e.created_at, e.id) - 1 AS place, e.participant_id
      FROM start_list_entries e
      WHERE e.organization_id = $1 AND e.approval_status = 'APPROVED'
        AND ($6::uuid[] IS NULL OR e.participant_id = ANY ($6))
        AND ($7::uuid IS NULL OR e.event_occurrence_id = $7)
        AND ($8::uuid IS NULL OR e.race_id = $8)
        AND ($9::uuid IS NULL OR e.ticket_id = $9)
        AND ($10::text IS NULL OR (e.cancelled_at IS NOT NULL) = ($10 = 'CANCELLED'))
        AND ($11::text IS NULL OR e.tags @> ARRAY[$11])
      LIMIT $4 + 1
    ), job AS (
      INSERT INTO import_jobs (organization_id, id, surface, mode, total_rows, source, request_id)
      SELECT $1, $2, 'bookingsImport', 'CHANGE', count(*), 'console', $5 FROM chosen
      HAVING count(*) BETWEEN 1 AND $4 AND ($6 IS NULL OR count(*) = (SELECT count(DISTINCT id) FROM unnest($6) id))
      RETURNING organization_id, id, total_rows
    ), rows AS (
      INSERT INTO import_rows (organization_id, job_id, row_number, payload)
      SELECT job.organization_id, job.id, place, jsonb_build_object('participantId', chosen.participant_id, 'change', $3::jsonb)
      FROM chosen CROSS JOIN job
    )
    SELECT (SELECT count(*)::int FROM chosen) AS found, (SELECT total_rows FROM job) AS rows
  `,
});

const LOCK_JOB = statement({
  parameters: ['uuid', 'uuid'],
  columns: { finished: 'boolean', isChange: 'boolean' },
  sql: `
    SELECT status IN ('COMPLETED', 'FAILED') AS finished, mode = 'CHANGE' AS "isChange"
    FROM import_jobs WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
  `,
});

/** The inverse of each row that changed something. */
const INSERT_UNDO = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'text?', 'text?'],
  columns: { rows: 'int' },
  sql: `
    WITH changed AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY row_number) - 1 AS place, payload, payload -> 'change' AS change FROM import_rows
      WHERE organization_id = $1 AND job_id = $2 AND outcome = 'UPDATED' AND payload <> '{}'
    ), job AS (
      INSERT INTO import_jobs (organization_id, id, surface, mode, undoes_job_id, total_rows, source, request_id)
      SELECT $1, $3, 'bookingsImport', 'CHANGE', $2, count(*),
        coalesce((SELECT name FROM api_keys WHERE organization_id = $1 AND id::text = $5), 'console'), $4
      FROM changed HAVING count(*) > 0
      RETURNING organization_id, id, total_rows
    ), rows AS (
      INSERT INTO import_rows (organization_id, job_id, row_number, payload)
      SELECT job.organization_id, job.id, place, jsonb_build_object('participantId', payload -> 'participantId')
        || CASE change ->> 'type'
          WHEN 'TAG' THEN jsonb_build_object('change', change || '{"type": "UNTAG"}')
          WHEN 'UNTAG' THEN jsonb_build_object('change', change || '{"type": "TAG"}')
          WHEN 'BIB' THEN jsonb_build_object('raceId', payload -> 'raceId', 'ifBibNumber', change -> 'bibNumber',
            'change', change || jsonb_build_object('bibNumber', payload -> 'ifBibNumber'))
          ELSE jsonb_build_object('change', change || jsonb_build_object('waveId', payload -> 'formerWaveId'),
            'ifWaveId', change -> 'waveId') END
      FROM changed CROSS JOIN job
    )
    SELECT total_rows AS rows FROM job
  `,
});

type ChangeRefusal =
  | 'MISSING'
  | 'NOT_A_CHANGE'
  | 'NOT_FINISHED'
  | 'NOTHING'
  | 'NOBODY'
  | 'TOO_MANY'
  | 'NOT_ALL'
  | 'MORE_THAN_CONFIRMED';

/** For people. */
export const CHANGE_REFUSALS: Record<Exclude<ChangeRefusal, 'MISSING'>, string> = {
  NOT_A_CHANGE: 'Only changes of participants can be undone here.',
  NOT_FINISHED: 'The change is not finished. Wait until it is, or cancel it.',
  NOTHING: 'There is nothing to undo. Cancellations can’t be undone.',
  NOBODY: 'No participant matches.',
  TOO_MANY: `More than ${MOST_CHANGED} participants match. Use more filters.`,
  NOT_ALL: 'Some of the participants are unknown or not approved. Look at the list again.',
  MORE_THAN_CONFIRMED: 'More participants match than were confirmed. Look at the list again.',
};

interface ChangeRequest extends ParticipantsChange {
  organizationId: string;
  requestId?: string;
}

/**
 * Makes a job that changes several participants. Call it in a transaction, and enqueue `imports` after it.
 */
export async function changeInJob(
  manager: EntityManager,
  { organizationId, change, participantIds, matching = {}, atMost, requestId }: ChangeRequest,
  by: Actor,
): Promise<{ jobId: string } | Exclude<ChangeRefusal, 'MISSING'>> {
  const jobId = newId();
  const most = atMost ?? MOST_CHANGED;
  const { eventOccurrenceId = null, raceId = null, ticketId = null, status = null, tag = null } = matching;
  const { found, rows } = await INSERT.one(manager, [
    ...([organizationId, jobId, JSON.stringify(change), most, requestId ?? null] as const),
    ...([participantIds ?? null, eventOccurrenceId, raceId, ticketId, status, tag] as const),
  ]);
  if (found === 0) return 'NOBODY';
  if (found > most) return atMost ? 'MORE_THAN_CONFIRMED' : 'TOO_MANY';
  if (rows === null) return 'NOT_ALL';
  await audit(manager, by, {
    ...{ organizationId, action: 'participant.change', objectType: 'import_job', objectId: jobId },
    details: { type: change.type, participants: rows },
  });
  return { jobId };
}

/**
 * Makes a job that undoes another one where nothing else has changed since. While such a job is not finished, it answers that
 * job: a repeated request starts no second one.
 */
export async function undoChange(
  manager: EntityManager,
  { organizationId, jobId, requestId }: OpenJob & { requestId?: string },
  by: Actor,
): Promise<{ jobId: string } | ChangeRefusal> {
  const job = await LOCK_JOB.first(manager, [organizationId, jobId]);
  if (!job) return 'MISSING';
  if (!job.isChange) return 'NOT_A_CHANGE';
  if (!job.finished) return 'NOT_FINISHED';
  const open = await OPEN_UNDO.first(manager, [organizationId, jobId]);
  if (open) return { jobId: open.id };
  const undoJobId = newId();
  const made = await INSERT_UNDO.first(manager, [
    ...([organizationId, jobId, undoJobId, requestId ?? null, by.id] as const),
  ]);
  if (!made) return 'NOTHING';
  await audit(manager, by, {
    ...{ organizationId, action: 'import.undo', objectType: 'import_job', objectId: jobId },
    details: { undoJobId, participants: made.rows },
  });
  return { jobId: undoJobId };
}
