import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { SIGNING_SECRETS, testDatabase, withDatabase } from '#libs/testing';
import { Context } from '../../apps/cli/src/context';
import { type CommandLine, commandLine } from './startline';

const { secret } = SIGNING_SECRETS[0] as (typeof SIGNING_SECRETS)[number];

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
  await announceWorker(cli.databaseUrl);
});
afterAll(() => cli.close());

/** Like a worker that processes all queues. */
const announceWorker = (url: string) =>
  withDatabase(url, (client) =>
    client.query(
      `INSERT INTO workers (id, host, version, queues, expires_at) VALUES
       (gen_random_uuid(), 'here', '1.2.3', '{imports,race-day,webhooks,persons}', clock_timestamp() + interval '1 hour')`,
    ),
  );

type Check = { name: string; ok: boolean; message: string; advice?: string };
const failed = (answer: { checks: Check[] }) => answer.checks.filter(({ ok }) => !ok);

describe('doctor', () => {
  it('reports no problem for a migrated database', async () => {
    const { code, answer } = await cli.run('doctor');
    expect(failed(answer)).toEqual([]);
    expect(code).toBe(0);
    expect(answer.checks.map(({ name }: Check) => name)).toEqual([
      'configuration',
      'database',
      'version',
      'extensions',
      'migrations',
      'schema',
      'queue',
      'workers',
      'idle transactions',
      'roles',
      'erasure secret',
      'disk',
      'clocks',
    ]);
  });

  it('names an invalid setting', async () => {
    const { code, answer } = await cli.runWith({ PORT: 'eighty' }, 'doctor');
    expect([code, answer.error]).toEqual([1, 'UNHEALTHY']);
    expect(failed(answer)).toEqual([expect.objectContaining({ name: 'configuration' })]);
    expect(failed(answer)[0]?.message).toContain('  PORT: must be 1–65535');
  });

  it.each([
    [{ DATABASE_DIRECTORY: '/nowhere' }, "DATABASE_DIRECTORY /nowhere can't be read"],
    [
      { DATABASE_DIRECTORY: __dirname, DISK_RESERVE_MB: '1000000000' },
      'fewer than DISK_RESERVE_MB (1000000000)',
    ],
    [{ DATABASE_SIZE_LIMIT_MB: '1' }, 'fewer than DISK_RESERVE_MB (1000)'],
  ])('reports that writes are refused, or that nothing protects the disk: %j', async (settings, reason) => {
    const { answer } = await cli.runWith(settings, 'doctor');
    expect(failed(answer)).toEqual([expect.objectContaining({ name: 'disk' })]);
    expect(failed(answer)[0]?.message).toContain(reason);
  });

  it('measures the disk of the embedded database, which has no URL in the settings', () => {
    const directoryWith = (environment: Record<string, string>) => {
      const environments = { STARTLINE_HOME: __dirname, SIGNING_SECRETS: `a:${secret}`, ...environment };
      const surroundings = { environment: environments, stdout: process.stdout, stderr: process.stderr };
      return new Context(true, surroundings).settings().DATABASE_DIRECTORY;
    };
    expect(directoryWith({})).toBe(__dirname);
    expect(directoryWith({ DATABASE_DIRECTORY: '/data' })).toBe('/data');
    expect(directoryWith({ DATABASE_URL: cli.databaseUrl })).toBeUndefined();
    expect(directoryWith({ DATABASE_OWNER_URL: cli.databaseUrl })).toBeUndefined();
  });

  it('names the transaction that delays pollers, and explains how to end it', async () => {
    const idler = new Client({ connectionString: cli.databaseUrl, application_name: 'forgetful report' });
    await idler.connect();
    await idler.query('BEGIN');
    const [{ pid }] = (await idler.query('SELECT pg_backend_pid() AS pid, pg_current_xact_id()')).rows;
    // The transaction must have been idle for a while, so the check is repeated until it fails.
    let blocked: Check[] = [];
    while (blocked.length === 0) blocked = failed((await cli.run('doctor')).answer);
    expect(blocked).toEqual([expect.objectContaining({ name: 'idle transactions' })]);
    expect(blocked[0]?.message).toMatch(/forgetful report.*lists by updatedAt wait for it/);
    expect(blocked[0]?.advice).toContain(`pg_terminate_backend(${pid})`);
    await idler.query('ROLLBACK');
    await idler.end();
    expect((await cli.run('doctor')).code).toBe(0);
  });

  it('names a transaction at work that delays pollers', async () => {
    const writer = new Client({ connectionString: cli.databaseUrl, application_name: 'long report' });
    await writer.connect();
    await writer.query('BEGIN; SELECT pg_current_xact_id()');
    const work = writer.query('SELECT pg_sleep(600)').catch(() => {});
    writer.on('error', () => {});
    let blocked: Check[] = [];
    while (blocked.length === 0) blocked = failed((await cli.run('doctor')).answer);
    expect(blocked[0]?.message).toMatch(
      /long report.* at work in a transaction .*lists by updatedAt wait for it/,
    );
    const pid = /process (\d+)/.exec(blocked[0]?.message ?? '')?.[1];
    await cli.dataSource.query('SELECT pg_terminate_backend($1)', [pid]);
    await work;
  });

  it('lists the workers, and names the queues without a worker', async () => {
    const { answer } = await cli.run('doctor');
    const workers = answer.checks.find(({ name }: Check) => name === 'workers');
    expect(workers.message).toMatch(
      /^imports, race-day, webhooks, persons \(here, version 1\.2\.3, seen \d+ s ago\)$/,
    );
    const end = `UPDATE workers SET expires_at = clock_timestamp(), seen_at = clock_timestamp() - interval '1 minute'`;
    await withDatabase(cli.databaseUrl, (client) => client.query(end));
    const without = await cli.run('doctor');
    expect(failed(without.answer)).toEqual([expect.objectContaining({ name: 'workers' })]);
    expect(failed(without.answer)[0]?.message).toMatch(
      /^no worker takes imports, race-day, persons, webhooks; the last one, on here, was seen 6\d s ago$/,
    );
    await announceWorker(cli.databaseUrl);
  });

  it('detects pending migrations and manual changes', async () => {
    const database = await testDatabase();
    await announceWorker(database.url);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('ALTER TABLE races DROP COLUMN position CASCADE');
      const drifted = await cli.runWith({ DATABASE_URL: database.url }, 'doctor');
      expect(failed(drifted.answer).map(({ name }) => name)).toEqual(['schema']);
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA bullmq CASCADE');
      const empty = await cli.runWith({ DATABASE_URL: database.url }, 'doctor');
      expect(failed(empty.answer).map(({ name }) => name)).toEqual(['extensions', 'migrations']);
      const [extensions, migrations] = failed(empty.answer);
      const sql = readFileSync('libs/platform/database/src/migrations/baseline/basics.sql', 'utf8');
      for (const [, name] of sql.matchAll(/^CREATE EXTENSION IF NOT EXISTS (\w+);$/gm))
        expect(extensions?.advice).toContain(`CREATE EXTENSION ${name};`);
      expect(migrations?.advice).toContain('migrate');
      const migrated = await cli.runWith({ DATABASE_URL: database.url }, 'migrate');
      expect(migrated.answer.applied.length).toBeGreaterThan(0);
      await announceWorker(database.url);
      expect((await cli.runWith({ DATABASE_URL: database.url }, 'doctor')).code).toBe(0);
    } finally {
      await client.end();
      await database.drop();
    }
  });

  it('reports that the database and the queue are unreachable', async () => {
    const away = new URL(cli.databaseUrl);
    away.port = '1';
    const { code, answer } = await cli.runWith(
      { DATABASE_URL: away.href, REDIS_URL: 'redis://127.0.0.1:1' },
      'doctor',
    );
    expect([code, failed(answer).map(({ name }) => name)]).toEqual([1, ['database', 'queue']]);
    expect(JSON.stringify(answer)).not.toContain(away.password || 'no password');
  });
});
