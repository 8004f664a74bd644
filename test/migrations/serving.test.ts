import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { createDataSource, migrate } from '#platform/database';
import { createIndexConcurrently } from '../../libs/platform/database/src/migrations/create-index-concurrently';
import { Load } from '../faults/load';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';

/** Migrations of a fictitious next release, in the steps of docs/migrations.md. */
class Expand1999000000001 {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'partners',
      'start_list_entries',
      'import_jobs',
      'credits',
      'race_day_log',
      'api_keys',
    ])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS next text`);
    await queryRunner.query(`ALTER TABLE partners ALTER COLUMN next SET DEFAULT 'new'`);
  }
}

class Fill1999000000002 {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (let filled = -1; filled !== 0; ) {
      const [rows] = await queryRunner.query(
        `UPDATE partners SET next = 'old' WHERE (organization_id, id) IN
           (SELECT organization_id, id FROM partners WHERE next IS NULL LIMIT 20) RETURNING id`,
      );
      filled = rows.length;
    }
    await queryRunner.query(
      `ALTER TABLE partners ADD CONSTRAINT partners_next_check CHECK (next IS NOT NULL) NOT VALID`,
    );
    await queryRunner.query('ALTER TABLE partners VALIDATE CONSTRAINT partners_next_check');
    await createIndexConcurrently(queryRunner, 'partners_next_idx', 'partners (organization_id, next)');
  }
}

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi(UNLIMITED);
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker?.close();
  await api?.close();
});

const own = () =>
  createDataSource({ url: api.databaseUrl, applicationName: 'test' }).options.migrations as [];

describe('while an older release runs, a migration', () => {
  it('fails no request while another session locks its table', async () => {
    const load = await Load.on(api);
    await load.answered(200, 60);

    const reader = new Client({ connectionString: api.databaseUrl });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM partners');
    const said: string[] = [];
    const migrated = migrate(api.databaseUrl, {
      migrations: [...own(), Expand1999000000001, Fill1999000000002],
      log: (line) => said.push(line),
    });
    // The lock timeout is short, so that requests do not wait behind it for long; then it retries.
    await eventually(async () => said.filter((line) => line.startsWith('waits: ')).length >= 2);
    await load.answered(200, 60);
    await reader.end();
    await migrated;
    expect(said.slice(-2)).toEqual(['applied Expand1999000000001', 'applied Fill1999000000002']);

    await load.answered(200, 100);
    await load.stop();
    expect(load.statuses).toEqual({ 200: expect.any(Number) });
    expect([...load.wrong]).toEqual([]);
    await load.expectKept();
    expect((await api.get('/health/ready', null)).body).toMatchObject({ ready: true });
  });

  it('rebuilds an invalid index of an earlier attempt', async () => {
    const queryRunner = api.dataSource.createQueryRunner();
    const broken = 'CREATE UNIQUE INDEX CONCURRENTLY partners_broken_idx ON partners (organization_id)';
    await expect(queryRunner.query(broken)).rejects.toThrow('could not create unique index');
    const isValid = async () =>
      (
        await queryRunner.query(
          `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'partners_broken_idx'::regclass`,
        )
      )[0].valid;
    expect(await isValid()).toBe(false);
    await createIndexConcurrently(queryRunner, 'partners_broken_idx', 'partners (organization_id)');
    expect(await isValid()).toBe(true);
    await queryRunner.release();
  });
});

describe('an index that is built concurrently', () => {
  it('does not wait for a migration that waits for its turn', async () => {
    const holder = new Client({ connectionString: api.databaseUrl });
    await holder.connect();
    // Like another process that migrates.
    await holder.query('SELECT pg_advisory_lock(5717251)');
    const second = migrate(api.databaseUrl);
    await eventually(async () => {
      const rows = await api.dataSource.query(
        `SELECT FROM pg_stat_activity WHERE application_name = 'startline migrate' AND query LIKE '%advisory%'
           AND datname = current_database()`,
      );
      return rows.length > 0;
    });
    await holder.query('SET statement_timeout = 10000');
    await holder.query('CREATE INDEX CONCURRENTLY partners_turn_idx ON partners (created_at)');
    await holder.end();
    await second;
  });
});
