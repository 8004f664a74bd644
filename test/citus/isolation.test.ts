import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { nodeOf, organization, testDatabase, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { appUrlOf, createDataSource, ORGANIZATION } from '#platform/database';

/** Two organizations in the same shards: what the role of api and worker sees and writes of them. */

let home: DataSource;
let node: DataSource;
let app: Client;
let ours: WholeOrganization;
let theirs: WholeOrganization;
/** The search path of their shards, the schema of these, and its views. */
let path: string;
let schema: string;
let views: string[];

const columnOf = (view: string) => (view === 'organizations' ? 'id' : 'organization_id');
const urlOf = (source: DataSource) => appUrlOf((source.options as { url: string }).url);

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  const { url } = await testDatabase();
  home = await createDataSource({ url, applicationName: 'test' }).initialize();
  node = await nodeOf(home, (await organization(home)).id);
  ours = await wholeOrganization(node, { mark: 'ours' });
  theirs = await wholeOrganization(node, { mark: 'theirs' });
  app = await connected(urlOf(node));
  const { rows } = await app.query('SELECT node.path_of($1) AS path', [ours.organizationId]);
  ({ path } = rows[0]);
  [schema = ''] = path.split(',');
  const found: { name: string }[] = await node.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'v' ORDER BY 1`,
    [schema],
  );
  views = found.map(({ name }) => name);
});
afterAll(async () => {
  // Commands for all organizations could not decrypt their secrets.
  await node?.query('UPDATE webhook_endpoints SET deleted_at = now() WHERE organization_id = ANY ($1)', [
    [ours, theirs].map(({ organizationId }) => organizationId),
  ]);
  await app?.end();
  for (const source of [node, home]) await source?.destroy();
});

/** In the scope of an organization, as in a request. */
async function scoped<Row extends object>(
  organizationId: string,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  await app.query('BEGIN');
  try {
    await app.query(`SELECT set_config('search_path', $1, true), set_config('${ORGANIZATION}', $2, true)`, [
      path,
      organizationId,
    ]);
    return (await app.query<Row>(sql, values)).rows;
  } finally {
    await app.query('ROLLBACK');
  }
}

it('shows the rows of one organization in every view', async () => {
  let filled = 0;
  for (const view of views) {
    const column = columnOf(view);
    const [{ count }] = await node.query(`SELECT count(*)::int FROM ${view} WHERE ${column} = $1`, [
      ours.organizationId,
    ]);
    const seen = await scoped(
      ours.organizationId,
      `SELECT ${column} AS organization, count(*)::int FROM ${view} GROUP BY 1`,
    );
    expect([view, seen]).toEqual([view, count ? [{ organization: ours.organizationId, count }] : []]);
    if (count) filled++;
  }
  expect(filled).toBeGreaterThan(30);
});

it('shows nothing without an organization, also after a transaction that had one', async () => {
  for (const view of views) expect([view, await scoped('', `SELECT 1 FROM ${view}`)]).toEqual([view, []]);
  await scoped(ours.organizationId, 'SELECT 1 FROM partners');
  expect((await app.query(`SELECT 1 FROM ${schema}.partners`)).rows).toEqual([]);
});

it('refuses to write rows of another organization, and to change organizations', async () => {
  const own = <Row extends object>(sql: string, values?: unknown[]) =>
    scoped<Row>(ours.organizationId, sql, values);
  await expect(
    own(`INSERT INTO partners (organization_id, id, name) VALUES ($1, gen_random_uuid(), 'x')`, [
      theirs.organizationId,
    ]),
  ).rejects.toThrow('check option');
  await expect(own('UPDATE teams SET organization_id = $1', [theirs.organizationId])).rejects.toThrow(
    'check option',
  );
  const changed = await own<{ id: string }>(`UPDATE teams SET name = 'x' RETURNING organization_id AS id`);
  expect(new Set(changed.map(({ id }) => id))).toEqual(new Set([ours.organizationId]));
  for (const sql of [
    'DELETE FROM organizations',
    `UPDATE organizations SET name = 'x'`,
    'DELETE FROM audit_log',
  ])
    await expect(own(sql)).rejects.toThrow('permission denied');
  await expect(node.query(`UPDATE organizations SET name = 'x'`)).rejects.toThrow('through the coordinator');
});

it('shows nothing past the views: in tables, shards, and the views of the marketplace’s owner', async () => {
  const tables: { name: string }[] = await home.query(
    'SELECT logicalrelid::text AS name FROM pg_dist_partition',
  );
  const shards: { name: string }[] = await home.query(
    `SELECT logicalrelid || '_' || shardid AS name FROM pg_dist_shard`,
  );
  const coordinator = await connected(urlOf(home));
  try {
    for (const server of [app, coordinator]) {
      await server.query(`SELECT set_config('${ORGANIZATION}', $1, false)`, [ours.organizationId]);
      for (const { name } of tables) {
        const { rows } = await server.query(`SELECT count(*)::int AS rows FROM public.${name}`);
        expect([name, rows]).toEqual([name, [{ rows: 0 }]]);
      }
    }
    let read = 0;
    for (const { name } of shards) {
      const { rows } = await app
        .query(`SELECT count(*)::int AS rows FROM public.${name}`)
        .catch((error: { code?: string }) => ({ rows: [{ refused: error.code }] }));
      // 42P01: it is on another node.
      expect([name, [[{ rows: 0 }], [{ refused: '42P01' }]]]).toEqual([name, expect.arrayContaining([rows])]);
      if ('rows' in rows[0]) read++;
    }
    expect(read).toBeGreaterThan(30);
  } finally {
    await coordinator.end();
  }
  await expect(app.query(`SELECT 1 FROM ${schema}_all.event_occurrences`)).rejects.toThrow(
    'permission denied',
  );
});

it('lets no role read the views that cannot read the tables', async () => {
  const open = await node.query(
    `SELECT c.oid::regclass::text AS view FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
     WHERE starts_with(c.relnamespace::regnamespace::text, $1) AND c.relkind = 'v' AND a.grantee = 0`,
    [schema],
  );
  expect(open).toEqual([]);
  const [{ readable }] = await node.query(
    `SELECT bool_and(has_table_privilege('startline_app', c.oid, 'SELECT')) AS readable FROM pg_class c
     WHERE c.relnamespace = ($1 || '_partner')::regnamespace AND c.relkind = 'v'`,
    [schema],
  );
  expect(readable).toBe(true);
});
