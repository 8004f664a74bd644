import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findBinaries } from './binaries';
import { forgetPostmaster, runningPostmaster, stopPostmaster, unreachable } from './postmaster';
import { isAlive, withStartLock } from './start-lock';
import { unprivileged } from './unprivileged';

export interface EmbeddedPostgres {
  /** Connects to the database `startline`. */
  url: string;
  /** It was running already: an earlier parent was killed. Whoever adopted it stops it. */
  adopted: boolean;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The folder that keeps data, password and log. */
  home: string;
  /** False: faster, and a crash of the machine may lose data. For tests. */
  durable?: boolean;
  log?: (line: string) => void;
}

const START_MS = 60_000;
const SUPERUSER = 'startline';
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'TimeZone=UTC',
];
const UNDURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Runs a real PostgreSQL in `home`, or adopts the one that runs there. It is a process group of its own, so
 * that Ctrl-C reaches the apps first; it outlives a parent that is killed, and the next start finds it.
 *
 * @throws Error with the server's own last words where it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const home = resolve(options.home);
  mkdirSync(home, { recursive: true });
  return withStartLock(join(home, 'postgres.starting'), () => start(home, options));
}

/** The URL of the server that runs in `home`, or undefined. */
export async function findEmbeddedPostgres(home: string): Promise<string | undefined> {
  const running = runningPostmaster(join(resolve(home), 'postgres'));
  return running && urlOf(passwordIn(resolve(home)), running.port);
}

async function start(
  home: string,
  { durable = true, log = () => {} }: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const data = join(home, 'postgres');
  const password = passwordIn(home);
  const running = runningPostmaster(data);
  if (running) {
    const url = urlOf(password, running.port);
    await untilReachable(url, running.pid, home);
    log(`adopted the PostgreSQL that runs in ${data}`);
    return { url, adopted: true, stop: () => stopPostmaster(running.pid) };
  }
  if (!existsSync(data)) initialize(home, data, log);
  forgetPostmaster(data);
  const port = await portFor(home);
  const pid = launch(home, data, port, durable);
  const url = urlOf(password, port);
  await untilReachable(url, pid, home);
  await createDatabase(url);
  return { url, adopted: false, stop: () => stopPostmaster(pid) };
}

/** Built beside its place and moved there when whole: one that was interrupted is simply made again. */
function initialize(home: string, data: string, log: (line: string) => void): void {
  log(`making a PostgreSQL database in ${data}`);
  const unfinished = `${data}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const { prefix, user, own } = unprivileged();
  own(unfinished);
  own(join(home, 'postgres-password'));
  const [command = '', ...words] = [
    ...prefix,
    findBinaries().initdb,
    ...['-D', unfinished, '--username', SUPERUSER, '--pwfile', join(home, 'postgres-password')],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
    ...['--no-instructions', '--data-checksums'],
  ];
  const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8', ...user });
  if (status !== 0)
    throw new Error(`PostgreSQL could not make its data folder: ${error?.message ?? stderr.trim()}`);
  renameSync(unfinished, data);
}

function launch(home: string, data: string, port: number, durable: boolean): number {
  const { prefix, user } = unprivileged();
  const settings = [...SETTINGS, ...(durable ? [] : UNDURABLE)].flatMap((setting) => ['-c', setting]);
  const [command = '', ...words] = [
    ...prefix,
    findBinaries().postgres,
    '-D',
    data,
    '-p',
    String(port),
    ...settings,
  ];
  const log = openSync(join(home, 'postgres.log'), 'a');
  const server = spawn(command, words, { detached: true, stdio: ['ignore', log, log], ...user });
  closeSync(log);
  server.unref();
  if (!server.pid) throw new Error(`PostgreSQL could not be started: ${command} does not run here.`);
  return server.pid;
}

async function untilReachable(url: string, pid: number, home: string): Promise<void> {
  const end = Date.now() + START_MS;
  for (;;) {
    // The database of the superuser's name may not be there yet; `postgres` always is.
    const reason = await unreachable(url.replace(/\/[^/]*$/, '/postgres'));
    if (!reason) return;
    if (!isAlive(pid)) throw new Error(`PostgreSQL did not start: ${lastWords(home)}`);
    if (Date.now() > end) throw new Error(`PostgreSQL runs but does not answer: ${reason.message}`);
    await sleep(30);
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url.replace(/\/[^/]*$/, '/postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'startline'");
    if (!rowCount) await client.query('CREATE DATABASE startline');
  } finally {
    await client.end();
  }
}

const urlOf = (password: string, port: number): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/startline`;

/** Made once, and readable by the owner alone. */
function passwordIn(home: string): string {
  const file = join(home, 'postgres-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** The port of last time, so that tools stay connected; another one where somebody took it. */
async function portFor(home: string): Promise<number> {
  const file = join(home, 'postgres-port');
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const port = (last && (await freePort(last))) || (await freePort(0));
  if (!port) throw new Error('There is no free port on 127.0.0.1 for PostgreSQL.');
  writeFileSync(file, String(port));
  return port;
}

const freePort = (wanted: number): Promise<number | undefined> =>
  new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(undefined));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' ? address?.port : undefined));
    });
  });

function lastWords(home: string): string {
  const lines = readFileSync(join(home, 'postgres.log'), 'utf8').trim().split('\n');
  return lines.slice(-3).join('\n');
}
