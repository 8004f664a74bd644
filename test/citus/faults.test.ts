import { randomUUID } from 'node:crypto';
import {
  describeWithOwnRedis,
  freePort,
  key,
  nodeOf,
  type OwnRedis,
  organization,
  ownRedis,
} from '#libs/testing';
import { freeze } from '../faults/freeze';
import { Load } from '../faults/load';
import { Fleet, Program } from '../faults/workers';
import { type Answer, eventually, pace, startApi, type TestApi, UNLIMITED } from '../harness';
import { anyOf, type Cluster, type Node, startDistributed } from './cluster';

const ENOUGH = 15;
/** Between two requests of a client, so that processors are left for the workers, which would otherwise fall behind. */
const PAUSE_MS = 400;

/** Short timeouts, so that minutes in production are seconds here. */
const SHORT = {
  ...UNLIMITED,
  POOL_WAIT_MS: '2000',
  NODE_TIMEOUT_MS: '1500',
  STARTLINE_TEST_SWEEP_MS: '500',
  STARTLINE_TEST_SILENT_MS: '5000',
};

let redis: OwnRedis;
let cluster: Cluster;
/** In this process, for setup and checks. */
let api: TestApi;
let environment: Record<string, string>;
let servers: { url: string; program: Program }[] = [];
let workers: Fleet;
const tenants: Tenant[] = [];

/** An organization, and clients that write to it and read it all the time. */
class Tenant {
  load: Load;

  private constructor(
    readonly port: number,
    private readonly own: TestApi,
  ) {}

  static async on({ port }: Node): Promise<Tenant> {
    for (;;) {
      const { id: organizationId } = await organization(api.home);
      const dataSource = await nodeOf(api.home, organizationId);
      if (new URL((dataSource.options as { url: string }).url).port !== String(port)) {
        await dataSource.destroy();
        continue;
      }
      const { token } = await key(dataSource, { organizationId });
      const tenant = new Tenant(port, {
        ...api,
        organizationId,
        token,
        dataSource,
        get: (path, given = token) => ask('GET', path, undefined, given),
        send: (method, path, body, given = token) => ask(method, path, body, given),
      });
      tenant.load = await Load.on(tenant.own, { clients: 1, pauseMs: PAUSE_MS });
      return tenant;
    }
  }

  /** An import that begins now is processed. */
  async imports(): Promise<void> {
    const amount = { value: 500, currencyCode: 'GBP' };
    const credits = [{ externalCreditId: randomUUID(), email: 'ada@example.com', amount }];
    const jobId = await eventually(async () => {
      const { status, body } = await this.own.send('POST', '/v0/credits/import', { credits });
      return status === 200 && body.jobId;
    });
    const job = `/v0/credits/import/${jobId}`;
    await eventually(async () => {
      await pace(PAUSE_MS);
      return (await this.own.get(job)).body?.status === 'COMPLETED';
    });
  }

  async close(): Promise<void> {
    await this.load.stop();
    await this.own.dataSource.destroy();
  }
}

let turn = 0;
/** A request to the next server that can be reached; a client's load balancer does the same. */
async function ask(method: string, path: string, body: unknown, token: string | null): Promise<Answer<any>> {
  const { url } = servers[turn++ % servers.length] as { url: string };
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (!answer) return UNREACHABLE;
  const text = await answer.text().catch(() => undefined);
  if (text === undefined) return UNREACHABLE;
  return { status: answer.status, headers: answer.headers, text, body: text ? JSON.parse(text) : undefined };
}
const UNREACHABLE: Answer = {
  status: 503,
  headers: new Headers({ 'retry-after': '1' }),
  text: '',
  body: { statusCode: 503 },
};

async function startServer(): Promise<(typeof servers)[number]> {
  const port = await freePort();
  const program = await Program.start('api', { ...environment, PORT: String(port) });
  return { url: `http://127.0.0.1:${port}`, program };
}

const of = (node: Node) => tenants.filter(({ port }) => port === node.port);
const others = (node: Node) => tenants.filter(({ port }) => port !== node.port);

/** They read and write, and an import that begins now ends. */
const expectServed = async (served: Tenant[]) => {
  await Promise.all(served.map(({ load }) => load.answered(200, ENOUGH)));
  await Promise.all(served.map((tenant) => tenant.imports()));
};

describeWithOwnRedis()('on a coordinator with two nodes', () => {
  beforeAll(async () => {
    redis = await ownRedis();
    cluster = await startDistributed();
    environment = { ...SHORT, DATABASE_URL: anyOf(cluster), REDIS_URL: redis.url };
    api = await startApi({ ...SHORT, DATABASE_URL: cluster.url });
    workers = new Fleet(environment);
    [servers] = await Promise.all([Promise.all([startServer(), startServer()]), workers.workers(2)]);
    for (const node of [...cluster.workers, ...cluster.workers]) tenants.push(await Tenant.on(node));
    await expectServed(tenants);
  });
  afterAll(async () => {
    for (const tenant of tenants) await tenant.close();
    await workers?.end();
    for (const { program } of servers) await program.kill();
    await api?.close();
    await cluster?.remove();
    await redis?.stop();
  });

  const ready = async () =>
    Promise.all(
      servers.map(async ({ url }) => (await (await fetch(`${url}/health/ready`)).json()) as object),
    );

  it('serves the organizations of a node while the other one is killed, and all of them when it is back', async () => {
    const [node] = cluster.workers as [Node];
    await node.kill();
    await Promise.all(of(node).map(({ load }) => load.answered(503, ENOUGH)));
    await expectServed(others(node));
    await eventually(async () =>
      JSON.stringify(await ready()).includes(`the node 127.0.0.1:${node.port} does not`),
    );
    expect(await ready()).toEqual([
      expect.objectContaining({ ready: true }),
      expect.objectContaining({ ready: true }),
    ]);
    await node.start();
    await expectServed(tenants);
  });

  it('serves the organizations of a node while the other one is frozen, and starts processes meanwhile', async () => {
    const node = cluster.workers[1] as Node;
    const thaw = freeze(node.pid);
    try {
      await Promise.all(of(node).map(({ load }) => load.answered(503, ENOUGH)));
      await expectServed(others(node));
      const [first] = servers.splice(0, 1);
      await first?.program.kill();
      await workers.workers(0);
      await workers.workers(2);
      servers.push(await startServer());
      await expectServed(others(node));
    } finally {
      thaw();
    }
    await expectServed(tenants);
  });

  it('serves every organization while the coordinator is killed, and starts processes meanwhile', async () => {
    await cluster.coordinator.kill();
    await expectServed(tenants);
    const [first] = servers.splice(0, 1);
    await first?.program.kill();
    await workers.workers(0);
    await workers.workers(2);
    servers.push(await startServer());
    await expectServed(tenants);
    expect(await ready()).toEqual([
      expect.objectContaining({ ready: true }),
      expect.objectContaining({ ready: true }),
    ]);
    await cluster.coordinator.start();
    await expectServed(tenants);
  });

  it('goes on after a worker and an api process are killed', async () => {
    const [worker] = await workers.workers(2);
    await Promise.all([worker?.kill(), servers.splice(0, 1)[0]?.program.kill()]);
    await expectServed(tenants);
    await workers.workers(2);
    servers.push(await startServer());
    await expectServed(tenants);
  });

  it('has lost and doubled nothing of all that', async () => {
    await Promise.all(tenants.map(({ load }) => load.stop()));
    for (const { load } of tenants) {
      expect([...load.wrong]).toEqual([]);
      await load.expectKept();
    }
  });
});
