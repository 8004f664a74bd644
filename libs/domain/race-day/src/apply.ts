import type { EntityManager } from 'typeorm';
import { lockOf, statement } from '#platform/database';
import { bibHolderOf, isKnown } from './bib-holder.sql';
import { linkClaims } from './claims';
import { projectParticipants } from './projection';

/** Statements of race day are planned for an average organization: docs/decisions/imports.md. */
const LOCK = statement({
  parameters: ['text'],
  sql: `
    SELECT ${lockOf('race-day')}, set_config('enable_seqscan', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true)
  `,
});

const WORK = statement({
  parameters: ['uuid'],
  columns: { isLeft: 'boolean' },
  sql: `
    SELECT EXISTS (SELECT FROM race_day_log WHERE organization_id = $1 AND applied_at IS NULL)
      OR EXISTS (SELECT FROM bib_claims WHERE organization_id = $1 AND until IS NULL)
      OR EXISTS (SELECT FROM race_day_tasks WHERE organization_id = $1) AS "isLeft"
  `,
});

const BATCH = statement({
  parameters: ['uuid', 'bigint'],
  columns: { seq: 'bigint', namedByBib: 'boolean' },
  sql: `
    SELECT seq, named_by_bib AS "namedByBib" FROM race_day_log
    WHERE organization_id = $1 AND applied_at IS NULL ORDER BY seq LIMIT $2
  `,
});

/** Messages with a participant. Messages of an unknown participant wait for it. */
const APPLY_BY_ID = statement({
  parameters: ['uuid', 'bigint[]'],
  columns: { after: 'uuid?' },
  sql: `
    UPDATE race_day_log l SET applied_at = clock_timestamp(),
      waiting_for = CASE WHEN NOT ${isKnown('l')} THEN l.participant_id END
    WHERE l.organization_id = $1 AND l.seq = ANY ($2::bigint[]) AND l.applied_at IS NULL
    RETURNING l.participant_id AS after
  `,
});

/**
 * Messages with only a bib, for the first time or again. One that loses its participant waits from now on. Returns the previous and
 * the current participants.
 */
const APPLY_BY_BIB = statement({
  parameters: ['uuid', 'bigint[]'],
  columns: { before: 'uuid?', after: 'uuid?' },
  sql: `
    WITH asked AS MATERIALIZED (
      SELECT m.organization_id, m.seq, m.participant_id AS before, ${bibHolderOf('m')} AS after
      FROM race_day_log m WHERE m.organization_id = $1 AND m.seq = ANY ($2::bigint[])
    )
    UPDATE race_day_log l SET participant_id = a.after,
      applied_at = CASE WHEN a.after IS NULL THEN clock_timestamp() ELSE coalesce(l.applied_at, clock_timestamp()) END,
      waiting_for = CASE WHEN a.after IS NULL THEN 'bib:' || l.bib_number END
    FROM asked a
    WHERE l.organization_id = a.organization_id AND l.seq = a.seq
      AND (l.applied_at IS NULL OR l.participant_id IS DISTINCT FROM a.after)
    RETURNING a.before, a.after
  `,
});

/** Messages of the period in which the bib of task `t` has changed holders. */
const NAMED_IN_PERIOD = /* sql */ `
  SELECT m.seq, m.changed_at FROM race_day_log m
  WHERE t.participant_ids IS NULL AND m.organization_id = $1 AND m.bib_number = t.bib_number AND m.named_by_bib
    AND (m.changed_at, m.seq) > (t.since, t.after_seq) AND m.changed_at < t.until
  ORDER BY m.changed_at, m.seq LIMIT w.left
`;

/** Messages that waited for the participants of task `t`, who have appeared. */
const WAITED = /* sql */ `
  SELECT m.seq, m.changed_at FROM unnest(t.participant_ids) appeared (id)
  CROSS JOIN LATERAL (
    SELECT m.seq, m.changed_at FROM race_day_log m
    WHERE m.organization_id = $1 AND m.waiting_for = appeared.id::text AND NOT m.named_by_bib AND ${isKnown('m')}
    LIMIT w.left
  ) m
  LIMIT w.left
`;

/**
 * Processes the tasks in order until $2 messages are found. A task that ends within that number is done. Waiting
 * messages are reopened; messages of a period are returned, and a period that is cut off continues after them.
 */
const DO_TASKS = statement({
  parameters: ['uuid', 'int'],
  columns: { seq: 'bigint' },
  sql: `
    WITH RECURSIVE walk AS (
      SELECT 0::bigint AS id, $2::int AS "left", false AS reopens, NULL::bigint[] AS seqs,
        NULL::timestamptz AS last_at, NULL::bigint AS last_seq
      UNION ALL
      SELECT t.id, w.left - found.messages, t.participant_ids IS NOT NULL, found.seqs, found.last_at, found.seqs[found.messages]
      FROM walk w
      CROSS JOIN LATERAL (
        SELECT * FROM race_day_tasks WHERE organization_id = $1 AND id > w.id ORDER BY id LIMIT 1
      ) t
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS messages, array_agg(m.seq ORDER BY m.changed_at, m.seq) AS seqs, max(m.changed_at) AS last_at
        FROM ((${NAMED_IN_PERIOD}) UNION ALL (${WAITED})) m
      ) found
      WHERE w.left > 0
    ), reopened AS (
      UPDATE race_day_log l SET applied_at = NULL, waiting_for = NULL
      FROM walk CROSS JOIN LATERAL unnest(walk.seqs) named (seq)
      WHERE walk.reopens AND l.organization_id = $1 AND l.seq = named.seq
    ), done AS (
      DELETE FROM race_day_tasks t USING walk WHERE t.organization_id = $1 AND t.id = walk.id AND walk.left > 0
    ), continued AS (
      UPDATE race_day_tasks t SET since = walk.last_at, after_seq = walk.last_seq FROM walk
      WHERE t.organization_id = $1 AND t.id = walk.id AND walk.left = 0 AND NOT walk.reopens
    )
    SELECT DISTINCT named.seq FROM walk CROSS JOIN LATERAL unnest(walk.seqs) named (seq) WHERE NOT walk.reopens
  `,
});

interface Moved {
  before?: string | null;
  after: string | null;
}

/**
 * Locks the race day of the organization until the transaction ends, so that workers process it one after the other, and
 * each sees the changes of the previous one.
 */
export async function lockRaceDay(manager: EntityManager, organizationId: string): Promise<void> {
  await LOCK.run(manager, [organizationId]);
}

/** Whether an organization's race day has work left. */
export async function hasRaceDayWork(manager: EntityManager, organizationId: string): Promise<boolean> {
  const { isLeft } = await WORK.one(manager, [organizationId]);
  return isLeft;
}

/**
 * Processes a bounded part of each kind of race-day work of an organization. Each step is an atomic transaction that locks
 * the race day and stores follow-up work. Claims are linked in a separate transaction from their application: it holds no
 * bib locks, so it can't deadlock with a cancellation.
 *
 * @param inTransaction runs the step in a separate transaction
 * @param most the most messages or claims of each kind
 * @returns the number of applied messages
 */
export async function raceDayRound(
  inTransaction: <T>(step: (manager: EntityManager) => Promise<T>) => Promise<T>,
  organizationId: string,
  most: number,
): Promise<number> {
  const locked = <T>(step: (manager: EntityManager) => Promise<T>) =>
    inTransaction(async (manager) => {
      await lockRaceDay(manager, organizationId);
      return step(manager);
    });
  const batch = await locked(async (manager) => {
    const pending = await BATCH.rows(manager, [organizationId, most]);
    const byId = pending.flatMap(({ seq, namedByBib }) => (namedByBib ? [] : seq));
    await apply(manager, organizationId, APPLY_BY_ID, byId);
    return pending;
  });
  await locked((manager) => linkClaims(manager, organizationId, most));
  const byBib = batch.flatMap(({ seq, namedByBib }) => (namedByBib ? seq : []));
  if (byBib.length > 0) await locked((manager) => apply(manager, organizationId, APPLY_BY_BIB, byBib));
  await locked((manager) => doTasks(manager, organizationId, most));
  return batch.length;
}

async function apply(
  manager: EntityManager,
  organizationId: string,
  statement: typeof APPLY_BY_ID | typeof APPLY_BY_BIB,
  seqs: string[],
): Promise<void> {
  if (seqs.length === 0) return;
  const moved: Moved[] = await statement.rows(manager, [organizationId, seqs]);
  const touched = new Set(moved.flatMap(({ before = null, after }) => [before, after]));
  await projectParticipants(
    manager,
    organizationId,
    [...touched].filter((id) => id !== null),
  );
}

/**
 * Applies pending messages that have a participant, out of turn: the order does not change the result. Call it within
 * `lockRaceDay`. The worker links their claims.
 */
export const applyNow = (manager: EntityManager, organizationId: string, seqs: string[]): Promise<void> =>
  apply(manager, organizationId, APPLY_BY_ID, seqs);

async function doTasks(manager: EntityManager, organizationId: string, most: number): Promise<void> {
  const named = await DO_TASKS.rows(manager, [organizationId, most]);
  await apply(
    manager,
    organizationId,
    APPLY_BY_BIB,
    named.map(({ seq }) => seq),
  );
}
