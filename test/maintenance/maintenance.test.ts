import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { loadSettings } from '#libs/config';
import { appUrlOf, createDataSource, newId } from '#libs/database';
import { organization, SIGNING_SECRETS, type TestDatabase, testDatabase } from '#libs/testing';
import { createWorker } from '../../apps/worker/src/create-worker';
import { Maintenance } from '../../apps/worker/src/maintenance/maintenance';

let database: TestDatabase;
let workers: INestApplicationContext[];
let dataSource: DataSource;
let organizationId: string;
beforeAll(async () => {
  database = await testDatabase();
  const settings = loadSettings({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: appUrlOf(database.url),
    SIGNING_SECRETS: `a:${SIGNING_SECRETS[0]?.secret}`,
    // Only the test runs it.
    MAINTENANCE_MS: '3600000',
  });
  workers = [await createWorker(settings), await createWorker(settings)];
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  organizationId = (await organization(dataSource)).id;
});
afterAll(async () => {
  for (const worker of workers) await worker.close();
  await dataSource.destroy();
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

describe('maintenance of counts', () => {
  it('leaves one row of many, and the same count', async () => {
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

  it('leaves short counts alone, and nothing of a count of nothing', async () => {
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

  it('never shows a wrong count while others count and two workers are at it', async () => {
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
      // One more may be committed and not yet counted here.
      expect(seen).toBeLessThanOrEqual(added + 1);
    }
    await writing;
    await run();
    expect(await counter(subject)).toBe(110);
    expect(await rowsOf(subject)).toBeLessThan(20);
  });
});

describe('maintenance of what is out of date', () => {
  it('forgets rate windows that are over, and keeps the others', async () => {
    const [old, current] = [newId(), newId()];
    await dataSource.query(
      `INSERT INTO rate_windows (api_key_id, endpoint, window_start, used) VALUES
        ($1, 'timing', clock_timestamp() - interval '3 minutes', 1), ($2, 'timing', clock_timestamp(), 1)`,
      [old, current],
    );
    await run();
    expect(await dataSource.query('SELECT api_key_id FROM rate_windows')).toEqual([{ api_key_id: current }]);
  });

  it('forgets idempotency keys after a day', async () => {
    const insert = (name: string, age: string) =>
      dataSource.query(
        `INSERT INTO idempotency_keys (organization_id, operation, key, body_hash, job_id, created_at)
         VALUES ($1, 'importBookings', $2, '\\x00', $3, clock_timestamp() - $4::interval)`,
        [organizationId, name, newId(), age],
      );
    await insert('old', '24 hours 1 minute');
    await insert('young', '23 hours 59 minutes');
    await run();
    expect(await dataSource.query('SELECT key FROM idempotency_keys')).toEqual([{ key: 'young' }]);
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
    const [{ left }] = await dataSource.query('SELECT count(*)::int AS left FROM audit_log');
    expect(left).toBe(3);
  });
});
