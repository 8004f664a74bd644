import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { FORGET_IMPORT_PAYLOADS, reopenJob } from '#domain/imports';
import {
  nodeOf,
  organization,
  SIGNING_SECRETS,
  sharedSettings,
  type TestDatabase,
  testDatabase,
} from '#libs/testing';
import { loadSettings } from '#platform/config';
import { appUrlOf, createDataSource, newId } from '#platform/database';
import { createWorker } from '../../apps/worker/src/create-worker';
import { Maintenance } from '../../apps/worker/src/maintenance/maintenance';
import { FORGET_IDEMPOTENCY_KEYS } from '../../apps/worker/src/maintenance/statements';

let database: TestDatabase;
let workers: INestApplicationContext[];
let home: DataSource;
let dataSource: DataSource;
let organizationId: string;
beforeAll(async () => {
  database = await testDatabase();
  const settings = loadSettings({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: appUrlOf(database.url),
    SIGNING_SECRETS: `a:${SIGNING_SECRETS[0]?.secret}`,
    ...sharedSettings(),
    // Only the test runs it.
    STARTLINE_TEST_MAINTENANCE_MS: '3600000',
  });
  workers = [await createWorker(settings), await createWorker(settings)];
  home = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  organizationId = (await organization(home)).id;
  dataSource = await nodeOf(home, organizationId);
});
afterAll(async () => {
  for (const worker of workers) await worker.close();
  for (const source of new Set([dataSource, home])) await source.destroy();
  await database.drop();
});

const run = () => Promise.all(workers.map((worker) => worker.get(Maintenance).run()));
const add = (subjectId: string, deltas: number[]) =>
  dataSource.query(
    `INSERT INTO tallies (organization_id, kind, subject_id, delta) SELECT $1, 'participants', $2, unnest($3::int[])`,
    [organizationId, subjectId, deltas],
  );
const counter = async (subjectId: string): Promise<number> =>
  Number(
    (await dataSource.query(`SELECT tally($1, 'participants', $2)`, [organizationId, subjectId]))[0].tally,
  );
const rowsOf = async (subjectId: string): Promise<number> =>
  (await dataSource.query('SELECT 1 FROM tallies WHERE subject_id = $1', [subjectId])).length;

describe('maintenance of counters', () => {
  it('merges many rows into one with the same sum', async () => {
    const subject = newId();
    await add(
      subject,
      Array.from({ length: 100 }, (_, i) => i - 10),
    );
    const before = await counter(subject);
    await run();
    expect(await rowsOf(subject)).toBe(1);
    expect(await counter(subject)).toBe(before);
  });

  it('keeps short counters, and deletes counters of zero', async () => {
    const [short, nothing] = [newId(), newId()];
    await add(short, [1, 1, 1]);
    await add(
      nothing,
      Array.from({ length: 40 }, (_, i) => (i % 2 ? 1 : -1)),
    );
    await run();
    expect(await rowsOf(short)).toBe(3);
    expect(await rowsOf(nothing)).toBe(0);
    expect(await counter(nothing)).toBe(0);
  });

  it('never shows a wrong sum with concurrent writes and two workers', async () => {
    const subject = newId();
    await add(subject, Array(50).fill(1));
    let added = 50;
    const writing = (async () => {
      for (let i = 0; i < 60; i++) {
        await add(subject, [1]);
        added++;
      }
    })();
    for (let i = 0; i < 20; i++) {
      const atLeast = added;
      await run();
      const seen = await counter(subject);
      expect(seen).toBeGreaterThanOrEqual(atLeast);
      // One more may be committed and not counted here yet.
      expect(seen).toBeLessThanOrEqual(added + 1);
    }
    await writing;
    await run();
    expect(await counter(subject)).toBe(110);
    expect(await rowsOf(subject)).toBeLessThan(20);
  });
});

describe('maintenance of versions', () => {
  const write = () =>
    dataSource.query('INSERT INTO partners (organization_id, id, name) VALUES ($1, uuid_v7(), $2)', [
      organizationId,
      'Harbour Hospice',
    ]);
  const version = async (): Promise<{ sum: string; at: Date; rows: number }> => {
    const [row] = await dataSource.query(
      `SELECT sum(delta) % 4611686018427387904 AS sum, max(at) AS at, count(*)::int AS rows
       FROM organization_versions WHERE organization_id = $1`,
      [organizationId],
    );
    return row;
  };

  it('merges many rows into one, and keeps the version and its time', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 40; i++) await write();
      const { sum, at, rows } = await version();
      expect(rows).toBeGreaterThanOrEqual(40);
      await run();
      expect(await version()).toEqual({ sum, at, rows: 1 });
      seen.add(sum);
    }
    expect(seen.size).toBe(3);
  });

  it('never goes back to an earlier version with concurrent writes and two workers', async () => {
    let settled = false;
    const writing = (async () => {
      for (let i = 0; i < 60; i++) await write();
      settled = true;
    })();
    const seen: string[] = [];
    const reading = (async () => {
      while (!settled) seen.push((await version()).sum);
    })();
    while (!settled) await run();
    await Promise.all([writing, reading]);
    const changes = seen.filter((sum, i) => sum !== seen[i - 1]);
    expect(new Set(changes).size).toBe(changes.length);
  });
});

describe('deletion of expired rows', () => {
  it('deletes expired rate windows, and keeps the others', async () => {
    const windows = [
      ['timing', '61 minutes'],
      ['timing', '0'],
      ['mailOfEmail', '59 minutes'],
      ['day: imports', '23 hours'],
      ['day: imports', '25 hours'],
    ];
    const ids = windows.map(() => newId());
    for (const [n, [endpoint, age]] of windows.entries()) {
      await home.query(
        `INSERT INTO rate_windows (api_key_id, endpoint, window_start, used) VALUES ($1, $2, clock_timestamp() - $3::interval, 1)`,
        [ids[n], endpoint, age],
      );
    }
    await run();
    const left = await home.query('SELECT api_key_id FROM rate_windows WHERE api_key_id = ANY ($1)', [ids]);
    expect(new Set(left.map((row: { api_key_id: string }) => row.api_key_id))).toEqual(
      new Set(ids.slice(1, 4)),
    );
  });

  it('deletes idempotency keys after 24 hours, in steps, and keeps the others', async () => {
    const insert = (name: string, age: string, count: number) =>
      dataSource.query(
        `INSERT INTO idempotency_keys (organization_id, operation, key, body_hash, record_id, created_at)
         SELECT $1, 'importBookings', $2 || n, '\\x00', $3, clock_timestamp() - $4::interval FROM generate_series(1, $5::int) n`,
        [organizationId, name, newId(), age, count],
      );
    await insert('old', '24 hours 1 minute', 2_500);
    await insert('young', '23 hours 59 minutes', 1);
    const left = async (): Promise<{ key: string }[]> =>
      dataSource.query('SELECT key FROM idempotency_keys WHERE organization_id = $1 ORDER BY key', [
        organizationId,
      ]);
    expect(await FORGET_IDEMPOTENCY_KEYS.rows(dataSource, [organizationId, 86_400, 1_000])).toEqual([
      { deleted: 1_000 },
    ]);
    expect(await left()).toHaveLength(1_501);
    await run();
    expect(await left()).toEqual([{ key: 'young1' }]);
  });

  describe('of imports', () => {
    const job = async (finishedDaysAgo: number | null, rows: number): Promise<string> => {
      const id = newId();
      await dataSource.query(
        `INSERT INTO import_jobs (organization_id, id, surface, mode, status, total_rows, failed_rows, finished_at)
         VALUES ($1, $2, 'creditsImport', 'CREATE', CASE WHEN $3::int IS NULL THEN 'RUNNING' ELSE 'COMPLETED' END, $4, $4,
           clock_timestamp() - make_interval(days => $3::int))`,
        [organizationId, id, finishedDaysAgo, rows],
      );
      await dataSource.query(
        `INSERT INTO import_rows (organization_id, job_id, row_number, external_id, payload, outcome, error_code, error_message, result)
         SELECT $1, $2, n, 'credit-' || n, '{"email": "ada@example.com"}', 'FAILED', 'INTERNAL', 'It failed.', '{"creditId": null}'
         FROM generate_series(0, $3::int - 1) n`,
        [organizationId, id, rows],
      );
      return id;
    };
    const kept = async (...jobs: string[]): Promise<number[]> => {
      const rows: { id: string; kept: number }[] = await dataSource.query(
        `SELECT job_id AS id, count(*) FILTER (WHERE payload <> '{}')::int AS kept FROM import_rows
         WHERE outcome = 'FAILED' AND result IS NOT NULL AND error_code IS NOT NULL AND external_id IS NOT NULL GROUP BY job_id`,
      );
      return jobs.map((id) => rows.find((row) => row.id === id)?.kept ?? Number.NaN);
    };

    it('removes payloads IMPORT_PAYLOAD_DAYS after the end, in steps, and keeps outcomes', async () => {
      const [large, small, young, open] = [
        await job(92, 2_500),
        await job(91, 10),
        await job(89, 10),
        await job(null, 10),
      ];
      const all = [large, small, young, open];
      expect(await FORGET_IMPORT_PAYLOADS.rows(dataSource, [organizationId, 90 * 86_400, 1_000])).toEqual([
        { deleted: 1_000 },
      ]);
      expect(await kept(...all)).toEqual([1_500, 10, 10, 10]);
      await run();
      expect(await kept(...all)).toEqual([0, 0, 10, 10]);
      expect(await FORGET_IMPORT_PAYLOADS.rows(dataSource, [organizationId, 90 * 86_400, 1_000])).toEqual([
        { deleted: 0 },
      ]);
    });

    it('deletes dry runs after a day, those that were corrected as well, although another organization fails', async () => {
      const others = (await organization(home)).id;
      const ofOthers = await nodeOf(home, others);
      const dryRun = async (
        hoursAgo: number,
        { by = organizationId, corrects, undoes }: { by?: string; corrects?: string; undoes?: string } = {},
      ) => {
        const id = newId();
        await (by === others ? ofOthers : dataSource).query(
          `INSERT INTO import_jobs (organization_id, id, surface, mode, status, total_rows, dry_run, corrects_job_id, undoes_job_id, finished_at)
           VALUES ($1, $2, 'creditsImport', 'CREATE', 'COMPLETED', 1, true, $3, $4, clock_timestamp() - make_interval(hours => $5))`,
          [by, id, corrects, undoes, hoursAgo],
        );
        return id;
      };
      const corrected = await dryRun(26);
      await dryRun(25, { corrects: corrected });
      const correctedLately = await dryRun(26);
      const correction = await dryRun(23, { corrects: correctedLately });
      // No program makes such a job: its deletion fails.
      const undone = await dryRun(25, { by: others });
      const undo = await dryRun(23, { by: others, undoes: undone });
      await ofOthers.query(
        `INSERT INTO person_jobs (organization_id, id, kind, dry_run, status, actor, finished_at)
         VALUES ($1, $2, 'ERASE', false, 'COMPLETED', '{}', clock_timestamp() - interval '25 hours')`,
        [others, newId()],
      );
      await expect(workers[0]?.get(Maintenance).run()).rejects.toThrow('import_jobs_undoes_job_id_fkey');
      const left = async (on: DataSource, owner: string) =>
        (await on.query('SELECT id FROM import_jobs WHERE organization_id = $1 AND dry_run', [owner])).map(
          ({ id }: { id: string }) => id,
        );
      expect((await left(dataSource, organizationId)).sort()).toEqual([correctedLately, correction].sort());
      expect((await left(ofOthers, others)).sort()).toEqual([undone, undo].sort());
      expect(await ofOthers.query('SELECT FROM person_jobs WHERE organization_id = $1', [others])).toEqual(
        [],
      );
      await ofOthers.query('DELETE FROM import_jobs WHERE organization_id = $1', [others]);
      if (ofOthers !== dataSource && ofOthers !== home) await ofOthers.destroy();
    });

    it('leaves no job that can be retried without its rows', async () => {
      const reopened = (jobId: string) =>
        dataSource.transaction((manager) => reopenJob(manager, { organizationId, jobId }));
      const [old, young] = [await job(91, 1), await job(89, 1)];
      await run();
      expect([await reopened(old), await reopened(young)]).toEqual(['NOT_FINISHED', 'REOPENED']);
    });
  });

  it('deletes records of the audit log after AUDIT_LOG_DAYS, in steps, and keeps the others', async () => {
    const insert = (age: string, count: number) =>
      dataSource.query(
        `INSERT INTO audit_log (organization_id, id, at, actor_type, action, object_type)
         SELECT $1, uuid_v7(), clock_timestamp() - $2::interval, 'SYSTEM', 'key.create', 'key'
         FROM generate_series(1, $3::int)`,
        [organizationId, age, count],
      );
    await insert('730 days 1 minute', 2_500);
    await insert('729 days 23 hours', 3);
    await run();
    const [{ left }] = await dataSource.query(
      'SELECT count(*)::int AS left FROM audit_log WHERE organization_id = $1',
      [organizationId],
    );
    expect(left).toBe(3);
  });

  it('removes the old and new values of staff edits after AUDIT_VALUES_DAYS, in steps, and keeps the records', async () => {
    const insert = (age: string, count: number) =>
      dataSource.query(
        `INSERT INTO audit_log (organization_id, id, at, actor_type, action, object_type, details, changes)
         SELECT $1, uuid_v7(), clock_timestamp() - $2::interval, 'STAFF', 'partner.update', 'partner', '{"changed": ["name"]}',
           '[{"field": "name", "from": "A", "to": "B"}]'
         FROM generate_series(1, $3::int)`,
        [organizationId, age, count],
      );
    await insert('400 days 1 minute', 2_500);
    await insert('399 days 23 hours', 3);
    await run();
    const [left] = await dataSource.query(
      `SELECT count(*)::int AS records, count(changes)::int AS values,
         count(*) FILTER (WHERE details = '{"changed": ["name"]}')::int AS fields
       FROM audit_log WHERE organization_id = $1 AND action = 'partner.update'`,
      [organizationId],
    );
    expect(left).toEqual({ records: 2_503, values: 3, fields: 2_503 });
  });
});
