import type { INestApplicationContext } from '@nestjs/common';
import type { Client } from 'pg';
import {
  booking,
  key,
  nodeOf,
  organization,
  partner,
  referral,
  referralProgram,
  referrer,
  reservedEntryGroup,
  withDatabase,
} from '#libs/testing';
import { appUrlOf, distributeDatabase, ReferrerOwnerBooking } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { type Cluster, startDistributed } from './cluster';
import { COUNTED, distributedStatements } from './counters';

interface Tenant {
  organizationId: string;
  token: string;
  /** The port of its node. */
  port: number;
}

let cluster: Cluster;
let api: TestApi;
let worker: INestApplicationContext;
/** One on each node. */
let tenants: [Tenant, Tenant];

beforeAll(async () => {
  cluster = await startDistributed(COUNTED);
  api = await startApi({ DATABASE_URL: cluster.url, RATE_IMPORT: '100000' });
  worker = await startWorker(api);
  tenants = (await Promise.all(cluster.workers.map(({ port }) => tenantOn(port)))) as [Tenant, Tenant];
});
afterAll(async () => {
  await worker?.close();
  await api?.close();
  await cluster?.remove();
});

const portOf = async (organizationId: string): Promise<number> => {
  const [{ port }] = await api.home.query(
    `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
     WHERE p.shardid = get_shard_id_for_distribution_column('organization_surfaces', $1::uuid)`,
    [organizationId],
  );
  return port;
};

async function tenantOn(port: number): Promise<Tenant> {
  for (;;) {
    const { id: organizationId } = await organization(api.home);
    if ((await portOf(organizationId)) !== port) continue;
    const { token } = await key(api.home, { organizationId });
    return { organizationId, token, port };
  }
}

let serial = 0;
const credits = (many = 1) =>
  Array.from({ length: many }, () => ({
    externalCreditId: `credit-${serial++}`,
    email: 'ada@example.com',
    amount: { value: 500, currencyCode: 'GBP' },
  }));

async function importCredits({ token }: Tenant, rows = credits()): Promise<void> {
  const { status, body } = await api.send('POST', '/v0/credits/import', { credits: rows }, token);
  expect(status).toBe(200);
  await eventually(
    async () => (await api.get(`/v0/credits/import/${body.jobId}`, token)).body.status === 'COMPLETED',
  );
}

const partnersOf = async ({ token }: Tenant): Promise<{ id: string; name: string }[]> =>
  (await api.get('/v0/partners?page[size]=200&sort[updatedAt]=1', token)).body.data;

const contact = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
const addPartner = ({ token }: Tenant, name: string) =>
  api.send('POST', '/v0/partners', { name, contacts: [contact] }, token);

it('can run again, and then does nothing', async () => {
  const done: string[] = [];
  await distributeDatabase(cluster.url, { log: (line) => done.push(line) });
  expect(done).toEqual([]);
});

it('imports and lists organizations of both nodes', async () => {
  for (const tenant of tenants) {
    await importCredits(tenant);
    expect((await addPartner(tenant, 'One')).status).toBe(200);
    // Lists by updatedAt end at the watermark of the node.
    await eventually(async () => (await partnersOf(tenant)).length === 1);
  }
});

it('runs the statements of an organization on its node, without a distributed plan', async () => {
  const before = await distributedStatements(cluster);
  for (const tenant of tenants) {
    await importCredits(tenant, credits(20));
    await addPartner(tenant, `Counted ${serial++}`);
    await partnersOf(tenant);
    for (const path of [
      '/v0/participants',
      '/v0/applications',
      '/v0/event-occurrences',
      '/v0/referral-programs',
    ])
      expect((await api.get(path, tenant.token)).status).toBe(200);
  }
  expect(await distributedStatements(cluster)).toEqual(before);
  // The counters count: the owner's statement through the coordinator reads all shards.
  await api.home.query('SELECT count(*) FROM partners');
  expect((await distributedStatements(cluster)).multi).toBeGreaterThan(before.multi);
});

it('counts the referrals of a partner without those of cancelled entries', async () => {
  const [{ organizationId }] = tenants;
  const node = await nodeOf(api.home, organizationId);
  const mine = <T extends object>(given: T) => ({ organizationId, ...given });
  const { id: partnerId } = await partner(node, mine({}));
  const group = await reservedEntryGroup(node, mine({ partnerId }));
  const { token } = await key(api.home, mine({ partnerId }));
  const entries = [{ reservedEntryGroupId: group.id }];
  const { id: bookingId } = await booking(node, mine({ ticketId: group.ticketId, entries }));
  const { id: referralProgramId } = await referralProgram(node, mine({}));
  const { id: referrerId } = await referrer(node, mine({ referralProgramId, owners: 0 }));
  await node.getRepository(ReferrerOwnerBooking).insert(mine({ referrerId, bookingId }));
  const referred = [await booking(node, mine({})), await booking(node, mine({}))] as const;
  for (const of of referred) await referral(node, mine({ referrerId, of }));
  const count = async () => (await api.get(`/v0/partners/${partnerId}`, token)).body.referralCount;
  expect(await count()).toBe(2);
  await node.query('UPDATE start_list_entries SET cancelled_at = clock_timestamp() WHERE booking_id = $1', [
    referred[0].id,
  ]);
  expect(await count()).toBe(1);
  await node.destroy();
});

describe('the role of api and worker', () => {
  const [count, insert] = [
    'SELECT count(*)::int AS many FROM partners',
    `INSERT INTO partners (organization_id, id, name) VALUES ($1, gen_random_uuid(), 'Foreign')`,
  ];
  const connected = async <T>(port: number, work: (client: Client) => Promise<T>): Promise<T> => {
    const url = new URL(appUrlOf(cluster.url));
    url.port = String(port);
    return withDatabase(url.href, work);
  };

  it('sees no rows through the coordinator, and none of the tables of a node', async () => {
    for (const { port } of [cluster.coordinator, ...cluster.workers])
      expect((await connected(port, (client) => client.query(count))).rows).toEqual([{ many: 0 }]);
  });

  it('sees and writes the rows of one organization on its node', async () => {
    const [first, second] = tenants;
    // Another organization in the same shards.
    const path = `SELECT node.path_of($1) AS path`;
    await addPartner(first, 'Own');
    await connected(first.port, async (client) => {
      const { rows } = await client.query(path, [first.organizationId]);
      await client.query(`SELECT set_config('search_path', $1, false)`, [rows[0].path]);
      expect((await client.query(count)).rows).toEqual([{ many: 0 }]);
      await client.query(`SELECT set_config('startline.organization', $1, false)`, [first.organizationId]);
      expect((await client.query(count)).rows[0].many).toBeGreaterThan(0);
      await expect(client.query(insert, [second.organizationId])).rejects.toThrow(/check option/);
      await client.query(`SELECT set_config('startline.organization', $1, false)`, [second.organizationId]);
      expect((await client.query(count)).rows).toEqual([{ many: 0 }]);
    });
    await expect(
      connected(second.port, (client) => client.query(path, [first.organizationId])),
    ).rejects.toThrow('does not hold the organization');
  });
});

it('announces a revoked key from the node of its organization', async () => {
  const [tenant] = tenants;
  const { id, token } = await key(api.home, { organizationId: tenant.organizationId });
  expect((await api.get('/v0/partners', token)).status).toBe(200);
  const url = cluster.workers.find(({ port }) => port === tenant.port)?.url() as string;
  await withDatabase(url, async (client) => {
    const { rows } = await client.query('SELECT node.path_of($1) AS path', [tenant.organizationId]);
    await client.query(`SELECT set_config('search_path', $1, false)`, [rows[0].path]);
    await client.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
  });
  await eventually(async () => (await api.get('/v0/partners', token)).status === 401);
});

it('moves an organization to another node while it is written to, and loses nothing', async () => {
  const [{ port: from }, { port: to }] = tenants;
  const tenant = await tenantOn(from);
  await importCredits(tenant);
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let moving = true;
  const writer = (async () => {
    while (moving) {
      const name = `Moving ${serial++}`;
      const { status } = await addPartner(tenant, name);
      statuses.add(status);
      if (status === 200) acknowledged.push(name);
    }
  })();
  await eventually(async () => acknowledged.length >= 5);
  await api.home.query(
    `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('organization_surfaces', $1::uuid),
       '127.0.0.1', $2::int, '127.0.0.1', $3::int, shard_transfer_mode => 'force_logical')`,
    [tenant.organizationId, from, to],
  );
  const then = acknowledged.length;
  await eventually(async () => acknowledged.length >= then + 5);
  moving = false;
  await writer;
  // 503: the organization has just moved.
  for (const status of statuses) expect([200, 503]).toContain(status);
  expect(await portOf(tenant.organizationId)).toBe(to);
  await importCredits(tenant);
  const names = await eventually(async () => {
    const found = (await partnersOf(tenant)).map(({ name }) => name);
    return found.length >= Math.min(200, acknowledged.length) && found;
  });
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => acknowledged.includes(name)).sort()).toEqual(
    acknowledged.slice(0, names.length).sort(),
  );
});

it('serves the organizations of other nodes while a node is away, and its own again when it is back', async () => {
  const [first, second] = (await Promise.all(cluster.workers.map(({ port }) => tenantOn(port)))) as [
    Tenant,
    Tenant,
  ];
  const node = cluster.workers.find(({ port }) => port === first.port);
  await importCredits(second);
  await node?.stop('SIGQUIT');
  expect((await api.get('/v0/partners', first.token)).status).toBe(503);
  await importCredits(second);
  expect((await addPartner(second, 'Meanwhile')).status).toBe(200);
  await eventually(async () => (await partnersOf(second)).some(({ name }) => name === 'Meanwhile'));
  await node?.start();
  await eventually(async () => (await api.get('/v0/partners', first.token)).status === 200);
  await importCredits(first);
});
