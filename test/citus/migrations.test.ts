import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import {
  booking,
  key,
  lineItem,
  nodeOf,
  organization,
  ticket,
  wholeOrganization,
  withDatabase,
} from '#libs/testing';
import {
  appUrlOf,
  createDataSource,
  distributeDatabase,
  migrate,
  planDistribution,
  type StartListEntry,
} from '#platform/database';
import { createDefinerFunctions } from '../../libs/platform/database/src/migrations/definer';
import { commandLine } from '../cli/startline';
import { Load } from '../faults/load';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { type Cluster, startCluster } from './cluster';

const MAIN = resolve(__dirname, '../../dist/apps/cli/src/main.js');
const MARKS = ['north', 'south', 'east', 'west'];

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster?.remove());

const rowsOf = (sql: string): Promise<Record<string, unknown>[]> =>
  withDatabase(cluster.url, async (client) => (await client.query(sql)).rows);

/** The rows of every table, as text. */
const contents = async (): Promise<Record<string, string>> => {
  const names = await rowsOf(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname NOT IN ('schema_migrations', 'pg_dist_authinfo') AND NOT EXISTS (SELECT FROM pg_depend
         WHERE objid = pg_class.oid AND deptype = 'e') ORDER BY 1`,
  );
  const all: Record<string, string> = {};
  for (const { name } of names as { name: string }[]) {
    const rows = await rowsOf(`SELECT t::text AS row FROM public.${name} t`);
    all[name] = rows
      .map(({ row }) => row)
      .sort()
      .join('\n');
  }
  return all;
};

const distributedTables = async () =>
  (await rowsOf('SELECT count(*)::int AS many FROM pg_dist_partition'))[0]?.many;

describe('distributing a database with data', () => {
  let before: Record<string, string>;
  beforeAll(async () => {
    await migrate(cluster.url, { appUrl: appUrlOf(cluster.url) });
    const home = await createDataSource({ url: cluster.url, applicationName: 'test' }).initialize();
    for (const mark of MARKS) await wholeOrganization(home, { mark });
    await home.destroy();
    before = await contents();
    expect(Object.values(before).filter(Boolean).length).toBeGreaterThan(30);
  });

  it('shows with --plan what it would do, and does nothing', async () => {
    const cli = await commandLine(cluster.url);
    const { code, stdout } = await cli.say('distribute', '--plan');
    await cli.close();
    expect(code).toBe(0);
    expect(stdout).toContain("SELECT create_reference_table('organizations');");
    expect(stdout).toContain("SELECT create_distributed_table('partners', 'organization_id'");
    expect(await distributedTables()).toBe(0);
    expect(await contents()).toEqual(before);
  });

  it('has done nothing if it is killed', async () => {
    const plan = await planDistribution(cluster.url);
    const killed = spawn(process.execPath, [MAIN, 'distribute'], {
      env: { PATH: process.env.PATH, DATABASE_OWNER_URL: cluster.url, DATABASE_URL: appUrlOf(cluster.url) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    killed.stderr.on('data', (text) => {
      said += text;
    });
    await eventually(async () => said.includes('distribute partners'));
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
    // PostgreSQL notices when it writes to the connection, and rolls back.
    await eventually(async () => (await distributedTables()) === 0);
    expect(await contents()).toEqual(before);
    expect(await planDistribution(cluster.url)).toEqual(plan);
  });

  it('keeps every row, and is done once', async () => {
    const roles = { appUrl: appUrlOf(cluster.url) };
    const done: string[] = [];
    await distributeDatabase(cluster.url, roles);
    expect(await contents()).toEqual(before);
    await distributeDatabase(cluster.url, { ...roles, log: (line) => done.push(line) });
    expect(done).toEqual([]);
    // None of it is on the coordinator.
    const [local] = await rowsOf(`SELECT pg_relation_size('start_list_entries')::int AS bytes`);
    expect(local).toEqual({ bytes: 0 });
  });
});

/** Migrations of a fictitious next release: a column, an index, a table with a key, and functions that use them. */
class Expand1999000000001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE partners ADD COLUMN nickname text NOT NULL DEFAULT 'none'`);
    await runner.query('CREATE INDEX partners_nickname_idx ON partners (organization_id, nickname)');
    await runner.query(`
      CREATE TABLE partner_notes (
        organization_id uuid NOT NULL, partner_id uuid NOT NULL, nickname text NOT NULL,
        CONSTRAINT partner_notes_pkey PRIMARY KEY (organization_id, partner_id))`);
  }
}

class Use1999000000002 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE partner_notes ADD CONSTRAINT partner_notes_partner_id_fkey
        FOREIGN KEY (organization_id, partner_id) REFERENCES partners (organization_id, id)`);
    await runner.query(`
      CREATE FUNCTION note_partners() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO partner_notes SELECT organization_id, id, nickname FROM new_rows;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER note_inserted AFTER INSERT ON partners REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION note_partners()`);
    await createDefinerFunctions(runner, [
      {
        signature: 'partners_noted()',
        returns: 'TABLE (organization uuid, many bigint)',
        body: 'SELECT organization_id, count(*) FROM partner_notes GROUP BY 1',
      },
    ]);
  }
}

describe('a migration of a distributed database', () => {
  let api: TestApi;
  let worker: INestApplicationContext;
  let nodes: DataSource[];
  beforeAll(async () => {
    api = await startApi({ ...UNLIMITED, DATABASE_URL: cluster.url });
    worker = await startWorker(api);
    nodes = [];
  });
  afterAll(async () => {
    for (const node of nodes) await node.destroy();
    await worker?.close();
    await api?.close();
  });

  it('adds columns, indexes, tables, keys, triggers and functions while api and worker serve', async () => {
    const load = await Load.on(api, { clients: 1 });
    await load.answered(200, 50);
    const own = api.home.options.migrations as [];
    await migrate(cluster.url, {
      appUrl: appUrlOf(cluster.url),
      migrations: [...own, Expand1999000000001, Use1999000000002],
    });
    await load.answered(200, 100);
    await load.stop();
    expect([...load.wrong]).toEqual([]);
    await load.expectKept();

    // On every node, under row-level security, for organizations that are made now.
    for (const _ of MARKS) {
      const { id: organizationId } = await organization(api.home);
      const node = await nodeOf(api.home, organizationId);
      nodes.push(node);
      const { token } = await key(node, { organizationId });
      const contacts = [{ firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' }];
      const { status, body } = await api.send('POST', '/v0/partners', { name: 'Noted', contacts }, token);
      expect(status).toBe(200);
      expect(
        await node.query('SELECT partner_id, nickname FROM partner_notes WHERE organization_id = $1', [
          organizationId,
        ]),
      ).toEqual([{ partner_id: body.id, nickname: 'none' }]);
      const noted = await node.query('SELECT many::int FROM partners_noted() WHERE organization = $1', [
        organizationId,
      ]);
      expect(noted).toEqual([{ many: 1 }]);
    }
    const keys = await rowsOf(
      `SELECT conname FROM pg_constraint WHERE conrelid = 'partner_notes'::regclass AND contype = 'f'`,
    );
    expect(keys).toEqual([{ conname: 'partner_notes_partner_id_fkey' }]);
    const indexes = await rowsOf(
      `SELECT DISTINCT result FROM run_command_on_shards('partners', $$ SELECT count(*) FROM pg_index
         WHERE indrelid = '%s'::regclass AND indexrelid::regclass::text LIKE '%%nickname%%' $$)`,
    );
    expect(indexes).toEqual([{ result: '1' }]);
  });

  it('brings what is stored to the present release', async () => {
    const donors: { node: DataSource; entryId: string }[] = [];
    for (const _ of MARKS) {
      const { id: organizationId } = await organization(api.home);
      const node = await nodeOf(api.home, organizationId);
      nodes.push(node);
      const { id: ticketId } = await ticket(node, { organizationId, asksDonation: true });
      const { id: bookingId, entries } = await booking(node, { organizationId, ticketId });
      const [{ id: entryId, participantId }] = entries as [StartListEntry];
      await lineItem(node, { organizationId, bookingId, participantId, itemType: 'DONATION' });
      await node.query('UPDATE start_list_entries SET has_donated = false WHERE id = $1', [entryId]);
      donors.push({ node, entryId });
    }
    await rowsOf(`DELETE FROM schema_migrations WHERE name !~ '01$'`);
    await migrate(cluster.url, { appUrl: appUrlOf(cluster.url) });
    for (const { node, entryId } of donors)
      expect(await node.query('SELECT has_donated FROM start_list_entries WHERE id = $1', [entryId])).toEqual(
        [{ has_donated: true }],
      );
  });
});
