import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { newId, type PersonJob, type Row, type RunsOn, statement, typed } from '#platform/database';
import { instant, type Resource } from '#platform/queries';
import { normalizeEmail } from '#platform/validation';
import { type Erasure, erasePerson } from './erase-person';
import { type PersonFormat, personDocument } from './person-document';
import { type FiledRows, findPerson, type PersonRows, readPerson } from './person-file';
import type { PersonLanguage } from './person-words';
import { type PersonErasure, PersonWork } from './persons.dto';
import { redactParticipant } from './redact-participant';
import type { Transactions } from './transactions';

/** Far more than a step takes, because each step extends it. */
const LEASE = "clock_timestamp() + interval '2 minutes'";
const MOST_KEPT = 100;

const ADD = statement({
  parameters: ['uuid', 'uuid', 'text', 'text?', 'uuid?', 'boolean', 'jsonb'],
  sql: `
    INSERT INTO person_jobs (organization_id, id, kind, email, entry_id, dry_run, actor) VALUES ($1, $2, $3, $4, $5, $6, $7)
  `,
});

/** The oldest job, or the one with the id $2, unless another process has it. */
const TAKE = statement({
  parameters: ['uuid', 'uuid?'],
  columns: {
    id: 'uuid',
    kind: typed<PersonJob['kind']>('text'),
    email: 'text?',
    entryId: 'uuid?',
    dryRun: 'boolean',
    actor: typed<Actor>('jsonb'),
    lease: 'text!',
  },
  sql: `
    UPDATE person_jobs SET status = 'RUNNING', searched_rows = 0, started_at = coalesce(started_at, clock_timestamp()),
      leased_until = ${LEASE}
    WHERE organization_id = $1 AND id = (
      SELECT id FROM person_jobs
      WHERE organization_id = $1 AND status IN ('QUEUED', 'RUNNING') AND coalesce(leased_until < clock_timestamp(), true)
        AND ($2::uuid IS NULL OR id = $2)
      ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, kind, email, entry_id AS "entryId", dry_run AS "dryRun", actor, leased_until::text AS lease
  `,
});

/** In the transaction of each step: nothing is written for a job that another process has taken since. */
const EXTEND = statement({
  parameters: ['uuid', 'uuid', 'timestamptz'],
  columns: { lease: 'text!' },
  sql: `
    UPDATE person_jobs SET leased_until = ${LEASE} WHERE organization_id = $1 AND id = $2 AND leased_until = $3
    RETURNING leased_until::text AS lease
  `,
});

const ADVANCE = statement({
  parameters: ['uuid', 'uuid', 'timestamptz', 'int'],
  sql: `
    UPDATE person_jobs SET searched_rows = searched_rows + $4::int WHERE organization_id = $1 AND id = $2 AND leased_until = $3
  `,
});

const RELEASE = statement({
  parameters: ['uuid', 'uuid', 'timestamptz'],
  sql: 'UPDATE person_jobs SET leased_until = NULL WHERE organization_id = $1 AND id = $2 AND leased_until = $3',
});

/** An export keeps the address, which its document shows. */
const FINISH = statement({
  parameters: ['uuid', 'uuid', 'timestamptz', 'text', 'jsonb?'],
  sql: `
    UPDATE person_jobs SET status = $4, result = $5, email = CASE WHEN kind = 'EXPORT' THEN email END, finished_at = clock_timestamp(),
      leased_until = NULL
    WHERE organization_id = $1 AND id = $2 AND leased_until = $3
  `,
});

const EMPTY = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'DELETE FROM person_job_rows WHERE organization_id = $1 AND job_id = $2',
});
const KEEP = statement({
  parameters: ['uuid', 'uuid', 'int', 'text', 'jsonb'],
  sql: 'INSERT INTO person_job_rows (organization_id, job_id, place, table_name, keys) VALUES ($1, $2, $3, $4, $5)',
});
const KEPT = statement({
  parameters: ['uuid', 'uuid', 'int'],
  columns: { table: 'text', keys: typed<PersonRows['keys']>('jsonb'), email: 'text!' },
  sql: `
    SELECT r.table_name AS table, r.keys, j.email
    FROM person_job_rows r JOIN person_jobs j ON j.organization_id = r.organization_id AND j.id = r.job_id
    WHERE r.organization_id = $1 AND r.job_id = $2 AND r.place = $3
  `,
});

const EXPORTED = statement({
  parameters: ['uuid', 'uuid'],
  columns: { email: 'text!' },
  sql: `
    SELECT email FROM person_jobs
    WHERE organization_id = $1 AND id = $2 AND kind = 'EXPORT' AND status = 'COMPLETED' AND email IS NOT NULL
  `,
});

const STATUS = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    status: typed<PersonJob['status']>('text'),
    searchedRows: 'bigint',
    result: typed<PersonJob['result']>('jsonb?'),
  },
  sql: `
    SELECT status, searched_rows AS "searchedRows", result FROM person_jobs WHERE organization_id = $1 AND id = $2
  `,
});

export const ORGANIZATIONS_WITH_PERSON_JOBS = statement({
  parameters: ['uuid', 'int'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_with_open_person_jobs($1, $2) id',
});

/** Deletes up to $3 jobs of an organization that ended more than $2 seconds ago, with what they found. */
export const FORGET_PERSON_JOBS = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH expired AS (
      SELECT id FROM person_jobs
      WHERE organization_id = $1 AND finished_at < statement_timestamp() - make_interval(secs => $2)
      ORDER BY finished_at LIMIT $3::int FOR UPDATE
    ), its_rows AS (
      DELETE FROM person_job_rows r USING expired e WHERE r.organization_id = $1 AND r.job_id = e.id
    ), gone AS (
      DELETE FROM person_jobs j USING expired e WHERE j.organization_id = $1 AND j.id = e.id RETURNING 1
    )
    SELECT count(*)::int AS deleted FROM gone
  `,
});

export const PERSON_WORK: Resource = {
  schema: PersonWork,
  from: 'person_jobs t',
  select: `
    t.id AS "jobId",
    t.kind AS "kind",
    t.dry_run AS "dryRun",
    t.status AS "status",
    t.searched_rows AS "searchedRows",
    CASE WHEN t.kind = 'ERASE' THEN t.result - '{id,participantIds}'::text[] END AS "erasure",
    CASE WHEN t.kind = 'REDACT' THEN t.result - '{participantId,applicationId}'::text[] END AS "redaction",
    ${instant('t.created_at')} AS "createdAt",
    ${instant('t.started_at')} AS "startedAt",
    ${instant('t.finished_at')} AS "finishedAt"`,
};

/** What is done to whom. */
type Requested =
  | { kind: 'EXPORT'; email: string }
  | { kind: 'ERASE'; email: string; dryRun: boolean }
  | { kind: 'REDACT'; entryId: string };

/**
 * Adds a job: enqueue `persons` after the commit. That of an export is recorded before anything is found.
 *
 * @returns its id
 */
export async function addPersonJob(
  manager: EntityManager,
  organizationId: string,
  requested: Requested,
  by: Actor,
): Promise<string> {
  const id = newId();
  const { kind } = requested;
  await ADD.run(manager, [
    ...([organizationId, id, kind, 'email' in requested ? normalizeEmail(requested.email) : null] as const),
    ...([
      'entryId' in requested ? requested.entryId : null,
      'dryRun' in requested && requested.dryRun,
    ] as const),
    JSON.stringify(by),
  ]);
  // Without the address, which an erasure could not remove.
  if (kind === 'EXPORT')
    await audit(manager, by, {
      ...{ organizationId, action: 'person.export', objectType: 'person', objectId: id },
    });
  return id;
}

/** The process ends, and another one begins the job again. */
export class Stopped extends Error {}

/** Another process has the job: this one was silent for too long. */
class Lost extends Error {}

/**
 * Works on a job of the organization, if there is one that no other process has. It can be interrupted at any time, and begun again.
 *
 * @param jobId only that one
 * @param isStopped whether to end between two steps; then it throws `Stopped`
 * @returns whether there was a job
 */
export async function workOnPerson(
  database: Transactions & RunsOn,
  organizationId: string,
  { jobId, secret, isStopped = () => false }: { jobId?: string; secret?: string; isStopped?(): boolean },
): Promise<boolean> {
  const job = await TAKE.first(database, [organizationId, jobId ?? null]);
  if (!job) return false;
  let { lease } = job;
  const held = () => [organizationId, job.id, lease] as const;
  const steps: Transactions = {
    transaction: async (work) => {
      if (isStopped()) throw new Stopped();
      try {
        const [result, extended] = await database.transaction(async (manager) => {
          const mine = await EXTEND.first(manager, held());
          if (!mine) throw new Lost();
          return [await work(manager), mine.lease] as const;
        });
        lease = extended;
        return result;
      } catch (error) {
        // The steps of a dry run are rolled back.
        lease = (await EXTEND.first(database, held()))?.lease ?? lease;
        throw error;
      }
    },
    searched: async (rows) => void (await ADVANCE.run(database, [...held(), rows])),
  };
  try {
    const result = await resultOf(steps, organizationId, job, secret);
    await FINISH.run(database, [...held(), 'COMPLETED', result && JSON.stringify(result)]);
  } catch (error) {
    if (error instanceof Lost) return true;
    if (error instanceof Stopped) await RELEASE.run(database, held());
    else await FINISH.run(database, [...held(), 'FAILED', null]);
    throw error;
  }
  return true;
}

async function resultOf(
  steps: Transactions,
  organizationId: string,
  { id, kind, email, entryId, dryRun, actor }: Row<typeof TAKE>,
  secret: string | undefined,
): Promise<object | null> {
  if (kind === 'REDACT') return (await redactParticipant(steps, entryId as string, actor, secret)) ?? null;
  const person = { organizationId, email: email as string };
  if (kind === 'ERASE') return erasureOf(await erasePerson(steps, { ...person, dryRun, secret }, actor));
  await steps.transaction((manager) => EMPTY.run(manager, [organizationId, id]));
  let place = 0;
  for await (const { table, keys } of findPerson(steps, person)) {
    const at = place++;
    await steps.transaction((manager) =>
      KEEP.run(manager, [organizationId, id, at, table, JSON.stringify(keys)]),
    );
  }
  return null;
}

const erasureOf = ({ id, dryRun, participantIds, removed, importRowsAhead, kept }: Erasure) =>
  ({
    dryRun,
    entries: participantIds.length,
    removed: Object.entries(removed).map(([table, rows]) => ({ table, rows })),
    importRowsAhead,
    kept: kept.slice(0, MOST_KEPT),
    // For the command line.
    ...{ id, participantIds },
  }) satisfies PersonErasure & object;

/** The state of a job, for the process that added it. */
export const personJob = (on: RunsOn, organizationId: string, jobId: string) =>
  STATUS.one(on, [organizationId, jobId]);

/** What an export has found, as it is now: what was erased since, or given to another person, is not in it. */
export async function* exportedRows(
  database: Transactions,
  organizationId: string,
  jobId: string,
): AsyncGenerator<FiledRows, void> {
  for (let place = 0; ; place++) {
    const at = place;
    const found = await database.transaction((manager) => KEPT.first(manager, [organizationId, jobId, at]));
    if (!found) return;
    const rows = await readPerson(database, { organizationId, email: found.email }, found);
    if (rows.rows.length > 0) yield rows;
  }
}

/** The file of an export; `undefined` if there is none, or it is not completed. */
export async function exportedDocument(
  database: Transactions & RunsOn,
  { organizationId, jobId }: { organizationId: string; jobId: string },
  { format, language }: { format: PersonFormat; language?: PersonLanguage },
): Promise<AsyncGenerator<string, void> | undefined> {
  const exported = await EXPORTED.first(database, [organizationId, jobId]);
  return (
    exported &&
    personDocument(format, exported.email, exportedRows(database, organizationId, jobId), language)
  );
}
