import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePort,
  key,
  organization,
  SIGNING_SECRETS,
  type TestDatabase,
  testDatabase,
  withDatabase,
} from '#libs/testing';
import { appUrlOf, createDataSource, newId } from '#platform/database';
import { eventually } from '../harness';

interface Process {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  ended: Promise<number | null>;
}

/** A process as in production, of the last build. */
function start(app: 'api' | 'worker', environment: Record<string, string>): Process {
  return begin(`dist/apps/${app}/src/main.js`, environment);
}

function begin(program: string, environment: Record<string, string>): Process {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      ...environment,
    },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    err += bytes;
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, out: () => out, err: () => err, ended };
}

let database: TestDatabase;
let token: string;
let running: Process[] = [];
beforeAll(async () => {
  database = await testDatabase();
  const dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  const { id: organizationId } = await organization(dataSource);
  token = (await key(dataSource, { organizationId })).token;
  await dataSource.destroy();
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  running = [];
});
afterAll(() => database.drop());

async function startServing(environment: Record<string, string> = {}) {
  const port = await freePort();
  const api = start('api', { DATABASE_URL: appUrlOf(database.url), PORT: String(port), ...environment });
  running.push(api);
  await eventually(async () => {
    if (api.child.exitCode !== null) throw new Error(api.err());
    return fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { api, port };
}

/**
 * Whether the server has such a process now; asked on a separate connection, because within a transaction the list
 * does not change.
 */
const isThere = (condition: string): Promise<boolean> =>
  withDatabase(database.url, async (client) => {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${condition}`,
    );
    return rows.length > 0;
  });
const somebodyWaits = () => eventually(() => isThere(`wait_event_type = 'Lock'`));

/** One request with a keep-alive agent. */
async function ask(agent: Agent, port: number, path: string): Promise<IncomingMessage & { body: string }> {
  const request = get({
    agent,
    port,
    host: '127.0.0.1',
    path,
    headers: { authorization: `Bearer ${token}` },
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const bytes of answer) body += bytes;
  return Object.assign(answer, { body });
}

describe('an API process on SIGTERM', () => {
  it('finishes requests in progress, accepts no new ones, and exits with code 0', async () => {
    const metricsPort = await freePort();
    const { api, port } = await startServing({ METRICS_PORT: String(metricsPort) });
    const idle = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask(idle, port, '/identity');

    // A locked table makes a request wait for as long as the test needs.
    await withDatabase(database.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE partners IN ACCESS EXCLUSIVE MODE');
      const slow = ask(new Agent({ keepAlive: true }), port, `/v0/partners/${newId()}`);
      await somebodyWaits();

      api.child.kill('SIGTERM');
      const state = await eventually(async () => {
        const answer = await fetch(`http://127.0.0.1:${metricsPort}/health/ready`);
        return answer.status === 503 && answer.json();
      });
      expect(state).toMatchObject({ ready: false, parts: { process: 'shutting down' } });
      await eventually(
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(port, '127.0.0.1', () => {
              socket.destroy();
              resolve(false);
            }).on('error', () => resolve(true));
          }),
      );
      expect(api.child.exitCode).toBeNull();

      await client.query('ROLLBACK');
      const answer = await slow;
      expect(answer.statusCode).toBe(404);
      expect(answer.headers.connection).toBe('close');
    });
    expect(await api.ended).toBe(0);
    expect(api.err()).toBe('');
    // PostgreSQL detects it a moment later.
    await eventually(async () => !(await isThere(`application_name LIKE 'startline api%'`)));
  });

  it('cuts off requests that take longer than SHUTDOWN_MS', async () => {
    const { api, port } = await startServing({ SHUTDOWN_MS: '300' });
    await withDatabase(database.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE partners IN ACCESS EXCLUSIVE MODE');
      const slow = ask(new Agent(), port, `/v0/partners/${newId()}`).catch((error) => error);
      await somebodyWaits();
      api.child.kill('SIGTERM');
      expect(await slow).toMatchObject({ code: 'ECONNRESET' });
      expect(await api.ended).toBe(1);
      await client.query('ROLLBACK');
    });
  });
});

describe('a worker', () => {
  it('needs no signing secrets, reports its health on METRICS_PORT, and exits with code 0 on SIGTERM', async () => {
    const port = await freePort();
    const settings = {
      DATABASE_URL: appUrlOf(database.url),
      METRICS_PORT: String(port),
      SIGNING_SECRETS: '',
    };
    const worker = start('worker', settings);
    running.push(worker);
    await eventually(() =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('startline_pool_idle');
    await eventually(async () => worker.out().includes('started'));
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.err()).toBe('');
  });
});

describe('a process that cannot start', () => {
  it('prints only the settings that are invalid or missing', async () => {
    const api = start('api', { PORT: 'x', RATE_WIDE: '-1', SIGNING_SECRETS: '' });
    expect(await api.ended).toBe(1);
    expect(api.err()).toMatch(
      /^startline api: Settings are missing or invalid \(see \.env\.example\):\n {2}PORT: must be 1–65535\n {2}SIGNING_SECRETS is missing\n {2}RATE_WIDE: .+\n$/,
    );
    expect(api.out()).toBe('');
  });

  it('reports that no database is available', async () => {
    const worker = start('worker', {});
    expect(await worker.ended).toBe(1);
    expect(worker.err()).toBe(
      'startline worker: Set DATABASE_URL, or use `npm start`, which runs its own PostgreSQL.\n',
    );
  });

  it.each([
    ['database', 'worker', ['/nowhere', ''], 'the database does not exist'],
    ['TLS', 'api', ['', '?sslmode=require'], 'the server has no TLS, which sslmode asks for'],
  ] as const)('reports in one line that the %s of its database is wrong', async (_, app, given, reason) => {
    const url = new URL(appUrlOf(database.url));
    const [pathname, search] = given;
    Object.assign(url, { ...(pathname && { pathname }), search });
    const { ended, err, out } = start(app, { DATABASE_URL: url.href });
    expect(await ended).toBe(1);
    expect(err()).toBe(
      `startline ${app}: DATABASE_URL: can't connect to ${url.host}${url.pathname} as ${url.username}: ${reason}.\n`,
    );
    expect(out()).toBe('');
  });

  it('reports in one line that no network interface has its address', async () => {
    const api = start('api', { DATABASE_URL: appUrlOf(database.url), HOST: '203.0.113.9' });
    expect(await api.ended).toBe(1);
    expect(api.err()).toBe(
      "startline api: HOST: can't listen on 203.0.113.9: this machine has no such address\n",
    );
  });

  it('reports from npm start in one line that Redis is away', async () => {
    const home = mkdtempSync(join(tmpdir(), 'startline-start-'));
    const port = await freePort();
    const all = begin('dist/apps/cli/src/start.js', {
      ...{ DATABASE_OWNER_URL: database.url, DATABASE_URL: appUrlOf(database.url) },
      ...{ STARTLINE_HOME: home, PORT: String(await freePort()), REDIS_URL: `redis://127.0.0.1:${port}` },
    });
    running.push(all);
    expect(await all.ended).toBe(1);
    expect(all.err()).toContain(`REDIS_URL: can't connect to 127.0.0.1:${port}: connection refused.\n`);
    rmSync(home, { recursive: true });
  });

  it('reports in one line that its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const api = start('api', { DATABASE_URL: appUrlOf(database.url), PORT: String(port) });
    expect(await api.ended).toBe(1);
    expect(api.err()).toBe(
      `startline api: PORT: port ${port} of 127.0.0.1 is in use; stop the program that uses it, or set another port\n`,
    );
    expect(api.out()).toBe('');
    taken.close();
  });
});
