import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { Database, ORGANIZATION, statement } from '#libs/database';
import { isProcessed, JOB_LOCKS, SLOT_LOCKS } from './advisory-locks';

const TAKE_SLOT = statement({
  parameters: ['text', 'int'],
  columns: { slot: 'int' },
  sql: `
    SELECT slot FROM generate_series(1, $2) slot
    WHERE pg_try_advisory_lock(${SLOT_LOCKS}, hashtext($1::text || '/' || slot)) LIMIT 1
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
    WHERE pg_try_advisory_lock(${JOB_LOCKS}, hashtext(id::text)) LIMIT 1
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
  sql: `SELECT pg_try_advisory_lock(${JOB_LOCKS}, hashtext($1::text)) AS taken`,
});

/** A frozen process must not hold its locks forever. The connection sees the rows of one organization until END. */
const BEGIN = statement({
  parameters: ['text', 'text'],
  sql: `SELECT set_config('idle_session_timeout', $1, false), set_config('${ORGANIZATION}', $2, false)`,
});
const END = statement({
  sql: `SELECT pg_advisory_unlock_all(), set_config('idle_session_timeout', '0', false), set_config('${ORGANIZATION}', '', false)`,
});

/** Locks of a connection, which last until `end` or until the connection is lost. */
export class HeldLocks {
  constructor(
    readonly manager: EntityManager,
    readonly end: () => Promise<void>,
  ) {}

  /** Takes a slot of the organization; `false` if all are taken. */
  async takeSlot(organizationId: string, slots: number): Promise<boolean> {
    return (await TAKE_SLOT.run(this.manager, [organizationId, slots])) > 0;
  }

  /** Takes the organization's oldest open job that no worker has, of those that crashed at most `mostEnds` processes. */
  async takeJob(
    organizationId: string,
    mostEnds: number,
  ): Promise<{ jobId: string; requestId: string | null } | undefined> {
    const job = await TAKE_JOB.first(this.manager, [organizationId, mostEnds]);
    return job;
  }

  async take(jobId: string): Promise<boolean> {
    const { taken } = await TAKE_ONE.one(this.manager, [jobId]);
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
    const runner = await this.database.runnerOf(organizationId);
    const client: PoolClient = await runner.connect();
    const end = async () => {
      try {
        await END.run(runner);
      } catch {
        // Closes the connection, because the pool must not reuse it with its locks. A server that is away does not confirm it.
        void (client as unknown as { end(): Promise<void> }).end().catch(() => {});
      } finally {
        await runner.release();
      }
    };
    try {
      await BEGIN.run(runner, [String(idleMs), organizationId]);
    } catch (error) {
      await end();
      throw error;
    }
    return new HeldLocks(runner.manager, end);
  }

  /** Whether the organization has an open job that no worker has, of those that crashed at most `mostEnds` processes. */
  async hasFreeJob(organizationId: string, mostEnds: number): Promise<boolean> {
    return (await FREE_JOB.run(this.database.of(organizationId), [organizationId, mostEnds])) > 0;
  }
}
