import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { freePort, nodeOf, type OwnRedis, organization, ownRedis, ticket, withDatabase } from '#libs/testing';
import { distributeDatabase } from '#platform/database';
import { type Cluster, distributeEmpty, Node, startCluster } from '../../test/citus/cluster';
import { announce, type Options } from '../fixtures/compare';
import { bookingsBody, type ImportFixture, imported } from '../fixtures/imports';
import { load } from '../fixtures/load';
import { cpuMsOfTree, type Program } from '../fixtures/program';
import { asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Measurement, Result } from '../report/result';

const ORGANIZATIONS = 16;
const ROWS = 500;
const LARGE = 10_000;
const WRITERS = 4;
/** As many places to move as an installation of ten nodes would have on each. */
const SHARDS = '16';
const WORKERS = 2;

/** CPU time and committed transactions of each server. */
interface Used {
  cpuMs: number;
  commits: number;
}

interface Fixture extends ImportFixture {
  node: DataSource;
}

/**
 * Imports and lists of many organizations at once on Citus with one data node and with two, how the work is spread, and
 * what the coordinator does meanwhile; and a large organization that gets a node of its own while it is written to.
 */
export async function citus(_: unknown, options: Options): Promise<Result[]> {
  const redis = await ownRedis();
  try {
    const results: Result[] = [];
    for (const nodes of [1, 2]) results.push(await onNodes(nodes, redis, options));
    results.push(await moved(redis));
    return results;
  } finally {
    await redis.stop();
  }
}

/** Runs work on a distributed database, with an api and workers. */
async function withFleet<T>(
  nodes: number,
  redis: OwnRedis,
  work: (fleet: { cluster: Cluster; api: Program; home: DataSource }) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster(nodes, { 'citus.shard_count': SHARDS });
  const programs: Program[] = [];
  try {
    await distributeEmpty(cluster.url);
    const backend = { REDIS_URL: redis.url };
    const api = await spawnApi(cluster.url, backend);
    programs.push(api);
    for (let i = 0; i < WORKERS; i++)
      programs.push(await spawnWorker(cluster.url, await freePort(), backend));
    return await withDataSource(cluster.url, (home) => work({ cluster, api, home }));
  } finally {
    for (const program of programs) await program.stop();
    await cluster.remove();
  }
}

/** Organizations with a ticket, evenly on the nodes. */
async function fixturesOn(home: DataSource, cluster: Cluster, count: number): Promise<Fixture[]> {
  const found = new Map(cluster.workers.map(({ port }) => [String(port), [] as Fixture[]]));
  const each = count / cluster.workers.length;
  while ([...found.values()].some(({ length }) => length < each)) {
    const { id: organizationId } = await organization(home);
    const node = await nodeOf(home, organizationId);
    const there = found.get(new URL((node.options as { url: string }).url).port) as Fixture[];
    if (there.length < each) {
      const caller = await asking(node, 'ORGANIZER', organizationId);
      there.push({ ...caller, node, ticket: await ticket(node, { organizationId }) });
    } else await node.destroy();
  }
  return [...found.values()].flat();
}

const usedBy = async (node: Node): Promise<Used> =>
  withDatabase(node.url('postgres'), async (client) => {
    const { rows } = await client.query(
      `SELECT xact_commit::int AS commits FROM pg_stat_database WHERE datname = 'startline'`,
    );
    return { cpuMs: cpuMsOfTree(node.pid), commits: rows[0].commits };
  });

/** What the servers used during the work: the coordinator first. */
async function using<T>(cluster: Cluster, work: () => Promise<T>): Promise<{ result: T; used: Used[] }> {
  const servers = [cluster.coordinator, ...cluster.workers];
  const before = await Promise.all(servers.map(usedBy));
  const result = await work();
  // Sessions report their transactions when they have been idle for a second.
  await sleep(1_500);
  const after = await Promise.all(servers.map(usedBy));
  const used = after.map(({ cpuMs, commits }, i) => ({
    cpuMs: cpuMs - (before[i] as Used).cpuMs,
    commits: commits - (before[i] as Used).commits,
  }));
  return { result, used };
}

/** @param per the number of units, such as requests, that the servers worked for */
function spread(what: string, [coordinator, ...nodes]: Used[], per: number, unit: string): Measurement[] {
  const all = nodes.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  return [
    ...nodes.flatMap(({ cpuMs, commits }, i) => [
      { what: `${what}: share of the nodes' CPU, node ${i + 1}`, value: (100 * cpuMs) / all, unit: '%' },
      { what: `${what}: transactions on node ${i + 1}`, value: commits / per, unit: `per ${unit}` },
    ]),
    { what: `${what}: CPU of the nodes`, value: all / per, unit: `ms per ${unit}` },
    {
      what: `${what}: CPU of the coordinator`,
      value: (coordinator as Used).cpuMs / per,
      unit: `ms per ${unit}`,
    },
    {
      what: `${what}: transactions on the coordinator`,
      value: (coordinator as Used).commits / per,
      unit: `per ${unit}`,
    },
  ];
}

async function onNodes(nodes: number, redis: OwnRedis, { tool, seconds, rounds }: Options): Promise<Result> {
  return withFleet(nodes, redis, async ({ cluster, api, home }) => {
    announce(`${nodes} data nodes`);
    const fixtures = await fixturesOn(home, cluster, ORGANIZATIONS);
    const rows = ORGANIZATIONS * ROWS;
    const began = performance.now();
    const imports = await using(cluster, async () => {
      await Promise.all(
        fixtures.map((each) => imported(api.url, each, 'bookings', bookingsBody(each, ROWS), ROWS)),
      );
      return performance.now() - began;
    });
    const requests = fixtures.map(({ headers }) => ({ path: '/v0/participants?page[size]=50', headers }));
    // Plans, and the look-ups of organizations.
    await load(tool, { url: api.url, requests, seconds: 2 });
    const reading = async (of: typeof requests) => {
      const { result, used } = await using(cluster, () =>
        load(tool, { url: api.url, requests: of, seconds: seconds * rounds }),
      );
      if (result.errors > 0)
        throw new Error(`${result.errors} of ${result.requests} lists were not answered 200.`);
      return { result, used };
    };
    const lists = await reading(requests);
    const seen = lists.result;
    // Its plans stay: those of a connection are of one group of shards at a time.
    const ofOne = await reading(requests.slice(0, 1));
    for (const { node } of fixtures) await node.destroy();
    return {
      path: 'citus',
      title: `${ORGANIZATIONS} organizations on ${nodes} data node${nodes > 1 ? 's' : ''}`,
      measurements: [
        {
          what: `imports of ${ROWS} bookings each, at once`,
          value: (1_000 * rows) / imports.result,
          unit: 'bookings/s',
        },
        ...spread('imports', imports.used, rows / 1_000, '1,000 bookings'),
        { what: 'lists of 50 participants', value: seen.requests / seen.seconds, unit: 'requests/s' },
        { what: 'lists, p99', value: seen.p99, unit: 'ms' },
        ...spread('lists', lists.used, seen.requests, 'request'),
        {
          what: 'lists of one organization: CPU of its node',
          value: Math.max(...ofOne.used.slice(1).map(({ cpuMs }) => cpuMs)) / ofOne.result.requests,
          unit: 'ms per request',
        },
      ],
      ratios: [],
    };
  });
}

/** Writes one partner after another, and measures each response. */
class Writer {
  readonly acknowledged: string[] = [];
  readonly statuses: Record<number, number> = {};
  longestMs = 0;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const name = randomUUID();
      const contacts = [{ firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' }];
      const began = performance.now();
      const { status } = await fetch(`${this.url}/v0/partners`, {
        method: 'POST',
        headers: { ...this.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name, contacts }),
      }).catch(() => ({ status: 0 }));
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      if (status === 200) this.acknowledged.push(name);
    }
  }
}

/** An organization gets shards of its own, and these move to a new node, while it is written to. */
async function moved(redis: OwnRedis): Promise<Result> {
  return withFleet(2, redis, async ({ cluster, api, home }) => {
    announce('a large organization gets a node of its own');
    const [large] = (await fixturesOn(home, cluster, 2)) as [Fixture];
    await imported(api.url, large, 'bookings', bookingsBody(large, LARGE), LARGE);
    const added = await Node.create({ 'citus.shard_count': SHARDS });
    await added.start();
    try {
      await withDatabase(added.url('postgres'), (client) => client.query('CREATE DATABASE startline'));
      await withDatabase(added.url(), (client) => client.query('CREATE EXTENSION citus'));
      await home.query(`SELECT citus_add_node('127.0.0.1', $1::int)`, [added.port]);
      await distributeDatabase(cluster.url);
      const writers = Array.from({ length: WRITERS }, () => new Writer(api.url, large.headers));
      await sleep(2_000);
      const before = Math.max(...writers.map(({ longestMs }) => longestMs));
      const isolatedMs = await timed(() =>
        home.query(
          `SELECT isolate_tenant_to_new_shard('organization_surfaces', $1::uuid, 'CASCADE', shard_transfer_mode => 'force_logical')`,
          [large.organizationId],
        ),
      );
      await sleep(2_000);
      const movedMs = await timed(() =>
        home.query(
          `SELECT citus_move_shard_placement(s.shard, n.nodename, n.nodeport, '127.0.0.1', $2::int, 'force_logical')
           FROM get_shard_id_for_distribution_column('organization_surfaces', $1::uuid) s (shard)
           JOIN pg_dist_placement p ON p.shardid = s.shard JOIN pg_dist_node n ON n.groupid = p.groupid`,
          [large.organizationId, added.port],
        ),
      );
      await sleep(2_000);
      for (const writer of writers) await writer.stop();
      const node = await nodeOf(home, large.organizationId);
      const rows: { name: string }[] = await node.query(
        'SELECT name FROM partners WHERE organization_id = $1',
        [large.organizationId],
      );
      await node.destroy();
      const names = rows.map(({ name }) => name);
      const stored = new Set(names);
      const acknowledged = writers.flatMap((writer) => writer.acknowledged);
      const count = (status: (code: number) => boolean) =>
        writers
          .flatMap(({ statuses }) => Object.entries(statuses))
          .reduce((sum, [code, times]) => sum + (status(Number(code)) ? times : 0), 0);
      return {
        path: 'citus',
        title: `An organization of ${LARGE} bookings gets a node of its own, while ${WRITERS} clients write to it`,
        measurements: [
          { what: 'splitting its shards from those of the others', value: isolatedMs / 1_000, unit: 's' },
          { what: 'moving them to the new node', value: movedMs / 1_000, unit: 's' },
          { what: 'longest write before', value: before, unit: 'ms' },
          {
            what: 'longest write',
            value: Math.max(...writers.map(({ longestMs }) => longestMs)),
            unit: 'ms',
          },
          { what: 'writes acknowledged', value: acknowledged.length, unit: '' },
          { what: 'responses 503', value: count((code) => code === 503), unit: '' },
        ],
        ratios: [
          { what: 'other responses', value: count((code) => code !== 200 && code !== 503), atMost: 0 },
          {
            what: 'acknowledged writes lost',
            value: acknowledged.filter((name) => !stored.has(name)).length,
            atMost: 0,
          },
          { what: 'writes doubled', value: names.length - stored.size, atMost: 0 },
        ],
      };
    } finally {
      await added.remove();
    }
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
