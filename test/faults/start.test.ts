import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { isAlive } from '../../libs/platform/embedded-postgres/src/processes';
import { eventually } from '../harness';

const PROGRAM = resolve(__dirname, '../../apps/cli/src/start.ts');

interface Started {
  process: ChildProcess;
  /** The output so far. */
  said(): string;
  exitCode: Promise<number | null>;
}

let home: string;
let port: number;
const running: ChildProcess[] = [];

const COMMAND = [process.execPath, '-C', 'source', '-r', '@swc-node/register', PROGRAM];

function start(environment: NodeJS.ProcessEnv = {}, [program = '', ...words] = COMMAND): Started {
  const { DATABASE_URL: _, REDIS_URL: __, SIGNING_SECRETS: ___, ...inherited } = process.env;
  const child = spawn(program, words, {
    env: {
      ...inherited,
      NODE_ENV: 'production',
      STARTLINE_HOME: home,
      HOST: '127.0.0.1',
      PORT: String(port),
      ...environment,
    },
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      text += part;
    });
  }
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, said: () => text, exitCode };
}

const until = (started: Started, words: string | RegExp): Promise<unknown> =>
  eventually(async () => {
    if (started.process.exitCode !== null) throw new Error(`It ended before:\n${started.said()}`);
    return started.said().match(words);
  });

/** The running processes that it started, by app. */
function appsOf(parent: ChildProcess): Record<string, number> {
  const apps: Record<string, number> = {};
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parentId = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
      const app = /apps\/(api|worker)\/src/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
      if (app && Number(parentId) === parent.pid) apps[app] = Number(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  return apps;
}

const answers = (path: string, token?: string): Promise<number | undefined> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  }).then(
    ({ status }) => status,
    () => undefined,
  );

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'startline-start-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as AddressInfo).port;
  probe.close();
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  if (await findEmbeddedPostgres(home)) await (await startEmbeddedPostgres({ home })).stop();
  rmSync(home, { recursive: true, force: true });
});

/** The order matters: each test uses the home directory of the previous one. */
(existsSync('/proc/self/stat') ? describe : describe.skip)('npm start', () => {
  it('stops in order in the middle of a start', async () => {
    const started = start();
    await until(started, 'applied');
    started.process.kill('SIGTERM');
    expect(await started.exitCode).toBe(0);
    expect(await findEmbeddedPostgres(home)).toBeUndefined();
  });

  it('runs everything in its home directory until Ctrl-C, and leaves no process behind', async () => {
    const started = start();
    await until(started, 'Ctrl-C stops');
    expect(started.said()).toContain(`http://127.0.0.1:${port}/docs`);
    const [, token] = /export KEY=(\S+)/.exec(started.said()) ?? [];
    expect(await answers('/v0/event-occurrences?page%5Bsize%5D=2', token)).toBe(200);
    expect(await answers('/docs')).toBe(200);

    const second = start({ PORT: String(port + 1) });
    expect(await second.exitCode).toBe(1);
    expect(second.said()).toContain(
      `Startline already runs in ${home}, at http://127.0.0.1:${port} (process ${started.process.pid})`,
    );

    const otherHome = join(home, 'other');
    const samePort = start({ STARTLINE_HOME: otherHome });
    expect(await samePort.exitCode).toBe(1);
    expect(samePort.said()).toContain(`Port ${port} is in use`);
    expect(readdirSync(otherHome)).toEqual([]);

    const apps = appsOf(started.process);
    expect(Object.keys(apps).sort()).toEqual(['api', 'worker']);
    started.process.kill('SIGINT');
    expect(await started.exitCode).toBe(0);
    expect(Object.values(apps).filter(isAlive)).toEqual([]);
    expect(await findEmbeddedPostgres(home)).toBeUndefined();
  });

  it('prints the key again with --show-key, and restricts its files to their owner', async () => {
    const started = start({}, [...COMMAND, '--show-key']);
    await until(started, 'Ctrl-C stops');
    const [, token] = /export KEY=(eyJ\S+)/.exec(started.said()) ?? [];
    expect(await answers('/v0/event-occurrences?page%5Bsize%5D=2', token)).toBe(200);
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const others = files.filter((name) => (statSync(join(home, name)).mode & 0o077) !== 0);
    expect(others.filter((name) => !name.startsWith('postgres/'))).toEqual([]);
    expect(statSync(join(home, 'postgres')).mode & 0o077).toBe(0);
    expect(statSync(home).mode & 0o066).toBe(0);
    expect(statSync(join(home, 'logs')).mode & 0o777).toBe(0o700);
    started.process.kill('SIGINT');
    expect(await started.exitCode).toBe(0);
  });

  it('ends when its npm is killed, and a start right after it waits for that', async () => {
    const npm = start({ npm_lifecycle_event: 'start' }, ['sh', '-c', '"$@" & wait', 'npm', ...COMMAND]);
    await until(npm, 'Ctrl-C stops');
    npm.process.kill('SIGKILL');
    const next = start();
    await until(next, 'Ctrl-C stops');
    expect(next.said()).not.toContain('adopted');
    expect(npm.said()).toContain('npm was killed');
    next.process.kill('SIGINT');
    expect(await next.exitCode).toBe(0);
  });

  it('leaves only the database if it is killed, which the next start adopts', async () => {
    const killed = start();
    await until(killed, 'Ctrl-C stops');
    const apps = appsOf(killed.process);
    expect(Object.keys(apps)).toHaveLength(2);
    killed.process.kill('SIGKILL');
    await eventually(async () => !Object.values(apps).some(isAlive));
    expect(await findEmbeddedPostgres(home)).toBeDefined();

    const next = start();
    await until(next, 'Ctrl-C stops');
    expect(next.said()).toContain('adopted');
    // The first start printed it; later starts print it only on request.
    for (const { said } of [killed, next]) {
      expect(said()).toContain('export KEY=$(npm run --silent startline -- key token ');
      expect(said()).not.toContain('eyJ');
    }

    process.kill(appsOf(next.process).api ?? 0, 'SIGKILL');
    expect(await next.exitCode).toBe(1);
    expect(next.said()).toContain('The api ended unexpectedly (SIGKILL)');
    expect(await answers('/health/live')).toBeUndefined();
    expect(await findEmbeddedPostgres(home)).toBeUndefined();
  });

  it('restarts a worker that ended, while the API responds', async () => {
    const startline = start();
    await until(startline, 'Ctrl-C stops');
    const { api, worker = 0 } = appsOf(startline.process);
    process.kill(worker, 'SIGKILL');
    await until(startline, 'and restarts in 1 s');
    expect(startline.said()).toContain('The worker ended unexpectedly (SIGKILL)');
    await eventually(async () => {
      const apps = appsOf(startline.process);
      return apps.api === api && apps.worker && apps.worker !== worker;
    });
    expect(await answers('/health/live')).toBeDefined();
    startline.process.kill('SIGINT');
    expect(await startline.exitCode).toBe(0);
  });
});
