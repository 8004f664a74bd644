import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { withDatabase } from '#libs/testing';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { completeLibraries, packageRoot } from '../../libs/platform/embedded-postgres/src/binaries';
import { isAlive } from '../../libs/platform/embedded-postgres/src/processes';
import { eventually } from '../harness';

const root = process.getuid?.() === 0;
const homes: string[] = [];
const parents: ChildProcess[] = [];

function newHome(): string {
  // Also for an unprivileged user: other users can read it.
  const home = mkdtempSync(join(tmpdir(), 'startline-embedded-'));
  chmodSync(home, 0o755);
  homes.push(home);
  return home;
}

const start = (home: string) => startEmbeddedPostgres({ home, durable: false });

interface Parent {
  process: ChildProcess;
  /** The output when the server runs, or does not start. */
  said: Promise<string>;
}

function startParent(home: string, as: string[] = [], environment: NodeJS.ProcessEnv = {}): Parent {
  const [command = '', ...words] = [
    ...as,
    ...[
      process.execPath,
      '-C',
      'source',
      '-r',
      '@swc-node/register',
      join(__dirname, 'embedded-parent.ts'),
      home,
    ],
  ];
  const child = spawn(command, words, { env: { ...process.env, ...environment } });
  parents.push(child);
  const said = new Promise<string>((resolve) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part) => {
        text += part;
        if (text.endsWith('\n')) resolve(text);
      });
    }
    child.once('close', () => resolve(text));
  });
  return { process: child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const postmasterOf = (home: string): number =>
  Number(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

const ask = <T>(url: string, sql: string): Promise<T> =>
  withDatabase(url, async (client) => (await client.query(sql)).rows[0]);

afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  for (const home of homes.splice(0)) {
    if (await findEmbeddedPostgres(home)) await (await start(home)).stop();
    rmSync(home, { recursive: true, force: true });
  }
});

describe('embedded PostgreSQL', () => {
  it('starts in an empty home, and keeps data and port for the next start', async () => {
    const home = join(newHome(), 'not', 'yet', 'there');
    const first = await startEmbeddedPostgres({ home });
    expect(first.adopted).toBe(false);
    expect(await findEmbeddedPostgres(home)).toBe(first.url);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    expect(
      await ask(
        first.url,
        `SELECT datlocprovider AS provider, datlocale AS locale, pg_encoding_to_char(encoding) AS encoding,
           current_setting('fsync') AS fsync, current_setting('max_connections') AS connections
         FROM pg_database WHERE datname = current_database()`,
      ),
    ).toEqual({ provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8', fsync: 'on', connections: '200' });
    expect(statSync(join(home, 'postgres-password')).mode & 0o777).toBe(0o600);
    await first.stop();
    expect(await findEmbeddedPostgres(home)).toBeUndefined();

    const second = await startEmbeddedPostgres({ home });
    expect(second).toMatchObject({ url: first.url, adopted: false });
    expect(await ask(second.url, 'SELECT n FROM kept')).toEqual({ n: 1 });
    await second.stop();
  });

  it('refuses connections without the password', async () => {
    const server = await start(newHome());
    await expect(ask(server.url.replace(/:[0-9a-f]+@/, ':guess@'), 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
    await server.stop();
  });

  it('survives a parent that is killed, and the next parent adopts and stops it', async () => {
    const home = newHome();
    const parent = startParent(home);
    const { url, adopted } = JSON.parse(await parent.said);
    expect(adopted).toBe(false);
    const pid = postmasterOf(home);
    await kill(parent.process);

    const next = await start(home);
    expect(next).toMatchObject({ url, adopted: true });
    expect(postmasterOf(home)).toBe(pid);
    await next.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('runs one server if two start at the same time', async () => {
    const home = newHome();
    const said = [startParent(home), startParent(home)].map(({ said }) => said);
    const [one, other] = (await Promise.all(said)).map((text) => JSON.parse(text));
    expect(one.url).toBe(other.url);
    expect([one.adopted, other.adopted].sort()).toEqual([false, true]);
  });

  it('reports that the server ended without a stop', async () => {
    const home = newHome();
    const server = await start(home);
    const ended = new Promise<void>((resolve) => server.onEnd(resolve));
    process.kill(postmasterOf(home), 'SIGKILL');
    await ended;
  });

  describe('after a crash', () => {
    it('starts again with the committed data while a process of the killed server is still ending', async () => {
      const home = newHome();
      const server = await startEmbeddedPostgres({ home });
      await ask(server.url, 'CREATE TABLE kept AS SELECT 1 AS n');
      const client = new Client({ connectionString: server.url });
      client.on('error', () => {});
      await client.connect();
      const busy = client
        .query('SELECT count(*) FROM generate_series(1, 20000000) WHERE random() < 2')
        .catch(() => {});
      process.kill(postmasterOf(home), 'SIGKILL');
      const again = await startEmbeddedPostgres({ home });
      expect(again.adopted).toBe(false);
      expect(await ask(again.url, 'SELECT n FROM kept')).toEqual({ n: 1 });
      await again.stop();
      await busy;
      await client.end().catch(() => {});
    });

    it.each([
      ['names a process that ended', '999999999'],
      ['names an unrelated process', String(process.pid)],
      ['is empty', ''],
    ])('starts if the lock file %s', async (_, pid) => {
      const home = newHome();
      await (await start(home)).stop();
      const data = join(home, 'postgres');
      writeFileSync(
        join(data, 'postmaster.pid'),
        pid && `${pid}\n${data}\n1\n5432\n\n127.0.0.1\n  1 1\nready\n`,
        {
          mode: 0o600,
        },
      );
      expect(await findEmbeddedPostgres(home)).toBeUndefined();
      const server = await start(home);
      expect(server.adopted).toBe(false);
      await server.stop();
    });

    it('starts over if the initialization was interrupted, and leaves no files of it behind', async () => {
      const home = newHome();
      const unfinished = () => readdirSync(home).filter((name) => name.includes('unfinished'));
      const parent = startParent(home);
      await eventually(async () => unfinished().some((name) => existsSync(join(home, name, 'PG_VERSION'))));
      await kill(parent.process);
      expect(existsSync(join(home, 'postgres'))).toBe(false);

      const server = await start(home);
      expect(await ask(server.url, 'SELECT 1 AS n')).toEqual({ n: 1 });
      await server.stop();
      expect(unfinished()).toEqual([]);
    });

    it('creates the database that a killed start did not create', async () => {
      const home = newHome();
      const server = await start(home);
      await withDatabase(server.url.replace(/startline$/, 'postgres'), (client) =>
        client.query('DROP DATABASE startline'),
      );
      expect(await ask((await start(home)).url, 'SELECT 1 AS n')).toEqual({ n: 1 });
      await server.stop();
    });
  });

  it('takes another port if its port is in use', async () => {
    const home = newHome();
    const server = await start(home);
    await server.stop();
    const { port } = new URL(server.url);
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    const moved = await start(home);
    other.close();
    expect(new URL(moved.url).port).not.toBe(port);
    await moved.stop();
    const later = await start(home);
    expect(later.url).toBe(moved.url);
    await later.stop();
  });

  it('names the file if its password was lost', async () => {
    const home = newHome();
    await (await start(home)).stop();
    rmSync(join(home, 'postgres-password'));
    await expect(start(home)).rejects.toThrow(join(home, 'postgres-password'));
  });

  it('repeats the message of the server if it does not start', async () => {
    const home = newHome();
    await (await start(home)).stop();
    writeFileSync(join(home, 'postgres', 'postgresql.conf'), 'no_such_setting = on\n');
    await expect(start(home)).rejects.toThrow('no_such_setting');
  });

  it('creates its library links if npm ran no install script', () => {
    const copy = join(newHome(), 'package');
    cpSync(packageRoot(), copy, { recursive: true });
    const library = join(copy, 'native', 'lib');
    for (const name of readdirSync(library))
      if (lstatSync(join(library, name)).isSymbolicLink()) rmSync(join(library, name));
    const runs = () => spawnSync(join(copy, 'native', 'bin', 'postgres'), ['--version']).status === 0;
    expect(runs()).toBe(false);
    completeLibraries(copy);
    expect(runs()).toBe(true);
    expect(readdirSync(library).sort()).toEqual(readdirSync(join(packageRoot(), 'native', 'lib')).sort());
    for (const name of readdirSync(library)) expect(realpathSync(join(library, name))).toContain(copy);
  });
});

/** Whether the user `nobody` has access to this checkout, which is not the case under /root. */
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const reachable =
  root && spawnSync(nobody[0] ?? '', [...nobody.slice(1), 'test', '-r', __filename]).status === 0;

(reachable ? describe : describe.skip)('embedded PostgreSQL, on a machine with root and other users', () => {
  it('runs as an unprivileged user', async () => {
    const home = join(newHome(), 'theirs');
    mkdirSync(home);
    spawnSync('chown', ['65534:65534', home]);
    const parent = startParent(home, nobody, { HOME: home });
    expect(JSON.parse(await parent.said)).toMatchObject({ adopted: false });
    expect(statSync(join(home, 'postgres')).uid).toBe(65_534);
    // A later start as root leaves the ownership with the user.
    await kill(parent.process);
    const adopted = await start(home);
    expect(adopted.adopted).toBe(true);
    await adopted.stop();
    const asRoot = await start(home);
    expect(statSync(join(home, 'postgres', 'postmaster.pid')).uid).toBe(65_534);
    await asRoot.stop();
  });

  it('runs as root without user namespaces', async () => {
    const home = newHome();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const parent = startParent(home, [], { PATH: `${bin}:${process.env.PATH}` });
    const { url } = JSON.parse(await parent.said);
    expect(statSync(join(home, 'postgres')).uid).toBe(65_534);
    expect(await ask(url, 'SELECT 1 AS n')).toEqual({ n: 1 });
  });

  it('gives advice if the user nobody cannot access the home directory', async () => {
    const parent = newHome();
    const home = join(parent, 'home');
    mkdirSync(home);
    const bin = join(newHome(), 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    chmodSync(parent, 0o700);
    const started = startParent(home, [], { PATH: `${bin}:${process.env.PATH}` });
    expect(await started.said).toMatch(/does not run as root.*STARTLINE_HOME/s);
  });

  it('names the owner of the home directory to a user without access', async () => {
    const home = newHome();
    await (await start(home)).stop();
    const parent = startParent(home, nobody, { HOME: home });
    expect(await parent.said).toMatch(/has no access to .* Start as its owner, or set STARTLINE_HOME/);
  });
});
