import { Injectable } from '@nestjs/common';
import { Database, type HeldConnection, LOCKS, statement } from '#platform/database';
import { isProcessed } from './advisory-locks';

const TAKE_SLOT = statement({
  parameters: ['text', 'int'],
  columns: { slot: 'int' },
  sql: `
    SELECT slot FROM generate_series(1, $2) slot
    WHERE pg_try_advisory_lock(${LOCKS.slots}, hashtext($1::text || '/' || slot)) LIMIT 1
  `,
});

/** Jobs that crashed a process run in a separate process; `$2` excludes those that crashed more. */
const OPEN = /* sql */ `
  SELECT j.id, j.request_id FROM import_jobs j
  WHERE j.organization_id = $1 AND j.status IN ('QUEUED', 'RUNNING')
    AND NOT EXISTS (SELECT FROM import_attempts a
      WHERE a.organization_id = j.organization_id AND a.job_id = j.id AND a.ends > $2)
  ORDER BY j.created_at, j.id LIMIT 100
`;

const TAKE_JOB = statement({
  parameters: ['uuid', 'int'],
  columns: { jobId: 'uuid', requestId: 'text?' },
  sql: `
    SELECT id AS "jobId", request_id AS "requestId" FROM (${OPEN}) open
    WHERE pg_try_advisory_lock(${LOCKS.jobs}, hashtext(id::text)) LIMIT 1
  `,
});

const FREE_JOB = statement({
  parameters: ['uuid', 'int'],
  sql: `
    SELECT FROM (${OPEN}) open
    WHERE NOT ${isProcessed('open.id')}
    LIMIT 1
  `,
});

const TAKE_ONE = statement({
  parameters: ['text'],
  columns: { taken: 'boolean' },
  sql: `SELECT pg_try_advisory_lock(${LOCKS.jobs}, hashtext($1::text)) AS taken`,
});

/** Locks of a connection, which last until it is released or the connection is lost. */
export class HeldLocks {
  constructor(readonly connection: HeldConnection) {}

  /** Takes a slot of the organization; `false` if all are taken. */
  async takeSlot(organizationId: string, slots: number): Promise<boolean> {
    return (await TAKE_SLOT.run(this.connection, [organizationId, slots])) > 0;
  }

  /** Takes the organization's oldest open job that no worker has, of those that crashed at most `mostCrashes` processes. */
  async takeJob(
    organizationId: string,
    mostCrashes: number,
  ): Promise<{ jobId: string; requestId: string | null } | undefined> {
    const job = await TAKE_JOB.first(this.connection, [organizationId, mostCrashes]);
    return job;
  }

  async take(jobId: string): Promise<boolean> {
    const { taken } = await TAKE_ONE.one(this.connection, [jobId]);
    return taken;
  }
}

/**
 * Locks of slots of an organization and of jobs. They are locks of a connection, so that they end with the process.
 */
@Injectable()
export class ImportLocks {
  constructor(private readonly database: Database) {}

  async begin(organizationId: string, idleMs: number): Promise<HeldLocks> {
    return new HeldLocks(await this.database.hold(organizationId, idleMs));
  }

  /** Whether the organization has an open job that no worker has, of those that crashed at most `mostCrashes` processes. */
  async hasFreeJob(organizationId: string, mostCrashes: number): Promise<boolean> {
    return (await FREE_JOB.run(this.database.of(organizationId), [organizationId, mostCrashes])) > 0;
  }
}
