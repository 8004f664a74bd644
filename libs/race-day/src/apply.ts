import type { EntityManager } from 'typeorm';
import { bibHolderOf, isKnown } from './bib-holder.sql';
import { linkClaims } from './claims';
import { projectParticipants } from './projection';

const LOCK = /* sql */ `
  SELECT pg_advisory_xact_lock(hashtextextended('race-day/' || $1, 0)), set_config('enable_seqscan', 'off', true)
`;

const WORK = /* sql */ `
  SELECT EXISTS (SELECT FROM race_day_log WHERE organization_id = $1 AND applied_at IS NULL)
    OR EXISTS (SELECT FROM bib_claims WHERE organization_id = $1 AND until IS NULL)
    OR EXISTS (SELECT FROM race_day_tasks WHERE organization_id = $1) AS "isLeft"
`;

const BATCH = /* sql */ `
  SELECT seq, named_by_bib AS "namedByBib" FROM race_day_log
  WHERE organization_id = $1 AND applied_at IS NULL ORDER BY seq LIMIT $2
`;

/** Messages with a participant. Messages of an unknown participant wait for it. */
const APPLY_BY_ID = /* sql */ `
  UPDATE race_day_log l SET applied_at = clock_timestamp(),
    waiting_for = CASE WHEN NOT ${isKnown('l')} THEN l.participant_id END
  WHERE l.organization_id = $1 AND l.seq = ANY ($2::bigint[]) AND l.applied_at IS NULL
  RETURNING l.participant_id AS after
`;

/** Messages with only a bib, for the first time or again. Returns the previous and the current participants. */
const APPLY_BY_BIB = /* sql */ `
  WITH asked AS MATERIALIZED (
    SELECT m.organization_id, m.seq, m.participant_id AS before, ${bibHolderOf('m')} AS after
    FROM race_day_log m WHERE m.organization_id = $1 AND m.seq = ANY ($2::bigint[])
  )
  UPDATE race_day_log l SET participant_id = a.after, applied_at = coalesce(l.applied_at, clock_timestamp()),
    waiting_for = CASE WHEN a.after IS NULL THEN 'bib:' || l.bib_number END
  FROM asked a
  WHERE l.organization_id = a.organization_id AND l.seq = a.seq
    AND (l.applied_at IS NULL OR l.participant_id IS DISTINCT FROM a.after)
  RETURNING a.before, a.after
`;

const TASKS = /* sql */ `
  SELECT id, participant_ids AS "participantIds", bib_number AS "bibNumber", since::text, after_seq AS "afterSeq",
    until::text
  FROM race_day_tasks WHERE organization_id = $1 ORDER BY id LIMIT $2
`;

const DONE = /* sql */ `DELETE FROM race_day_tasks WHERE organization_id = $1 AND id = ANY ($2::bigint[])`;

/** Messages of the period in which the holder of their bib changed. */
const NAMED_IN_PERIOD = /* sql */ `
  SELECT seq, changed_at::text AS "changedAt" FROM race_day_log
  WHERE organization_id = $1 AND bib_number = $2 AND named_by_bib AND (changed_at, seq) > ($3::timestamptz, $4::bigint)
    AND changed_at < $5::timestamptz
  ORDER BY changed_at, seq LIMIT $6
`;

const CONTINUE = /* sql */ `
  UPDATE race_day_tasks SET since = $3, after_seq = $4 WHERE organization_id = $1 AND id = $2
`;

/** A batch of the messages that waited for participants that now exist. */
const REOPEN = /* sql */ `
  UPDATE race_day_log l SET applied_at = NULL, waiting_for = NULL
  FROM (
    SELECT m.organization_id, m.seq FROM unnest($2::uuid[]) appeared (id)
    CROSS JOIN LATERAL (
      SELECT m.organization_id, m.seq FROM race_day_log m
      WHERE m.organization_id = $1 AND m.waiting_for = appeared.id::text AND NOT m.named_by_bib AND ${isKnown('m')}
      LIMIT $3
    ) m
    LIMIT $3
  ) found
  WHERE l.organization_id = found.organization_id AND l.seq = found.seq
`;

interface Task {
  id: string;
  participantIds: string[] | null;
  bibNumber: string;
  since: string;
  afterSeq: string;
  until: string;
}

type Moved = { before?: string | null; after: string | null }[];

/**
 * Locks the race day of the organization until the transaction ends, so that workers process it one after the other, and
 * each sees the changes of the previous one.
 */
export async function lockRaceDay(manager: EntityManager, organizationId: string): Promise<void> {
  await manager.query(LOCK, [organizationId]);
}

/** Whether an organization's race day has work left. */
export async function hasRaceDayWork(manager: EntityManager, organizationId: string): Promise<boolean> {
  const [{ isLeft }] = await manager.query(WORK, [organizationId]);
  return isLeft;
}

/**
 * Processes a bounded part of each kind of race-day work of an organization. Each step is an atomic transaction that locks
 * the race day and stores follow-up work. Claims are linked in a separate transaction from their application: it holds no
 * bib locks, so it can't deadlock with a cancellation.
 *
 * @param inTransaction runs the step in a separate transaction
 * @param most the most messages or claims of each kind
 * @param begin called after the race day is locked, before work is read
 * @returns the number of applied messages
 */
export async function raceDayRound(
  inTransaction: <T>(step: (manager: EntityManager) => Promise<T>) => Promise<T>,
  organizationId: string,
  most: number,
  begin: () => Promise<unknown> = async () => {},
): Promise<number> {
  const locked = <T>(step: (manager: EntityManager) => Promise<T>) =>
    inTransaction(async (manager) => {
      await lockRaceDay(manager, organizationId);
      return step(manager);
    });
  const batch = await locked(async (manager) => {
    await begin();
    const pending: { seq: string; namedByBib: boolean }[] = await manager.query(BATCH, [
      organizationId,
      most,
    ]);
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
  statement: string,
  seqs: string[],
): Promise<void> {
  if (seqs.length === 0) return;
  const [moved]: [Moved, number] = await manager.query(statement, [organizationId, seqs]);
  const touched = new Set(moved.flatMap(({ before, after }) => [before, after]));
  await projectParticipants(
    manager,
    organizationId,
    [...touched].filter((id) => typeof id === 'string'),
  );
}

/** Processes tasks in their order, until `most` messages are processed. */
async function doTasks(manager: EntityManager, organizationId: string, most: number): Promise<void> {
  const tasks: Task[] = await manager.query(TASKS, [organizationId, most]);
  const done: string[] = [];
  const again: string[] = [];
  let left = most;
  for (const task of tasks) {
    const dealtWith = task.participantIds
      ? await reopen(manager, organizationId, task.participantIds, left)
      : await namedInPeriod(manager, organizationId, task, left, again);
    left -= dealtWith;
    if (left === 0) break;
    done.push(task.id);
  }
  if (again.length > 0) await apply(manager, organizationId, APPLY_BY_BIB, [...new Set(again)]);
  if (done.length > 0) await manager.query(DONE, [organizationId, done]);
}

async function reopen(
  manager: EntityManager,
  organizationId: string,
  participantIds: string[],
  most: number,
): Promise<number> {
  const [, reopened]: [unknown[], number] = await manager.query(REOPEN, [
    organizationId,
    participantIds,
    most,
  ]);
  return reopened;
}

async function namedInPeriod(
  manager: EntityManager,
  organizationId: string,
  { id, bibNumber, since, afterSeq, until }: Task,
  most: number,
  into: string[],
): Promise<number> {
  const named: { seq: string; changedAt: string }[] = await manager.query(NAMED_IN_PERIOD, [
    organizationId,
    bibNumber,
    since,
    afterSeq,
    until,
    most,
  ]);
  for (const { seq } of named) into.push(seq);
  const last = named.at(-1);
  if (last && named.length === most) {
    await manager.query(CONTINUE, [organizationId, id, last.changedAt, last.seq]);
  }
  return named.length;
}
