import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { inTurn } from './claim';
import { portIn } from './port';
import {
  forgetCrash,
  type Postmaster,
  runningPostmaster,
  stopPostmaster,
  watchPostmaster,
} from './postmaster';
import { isAlive } from './processes';
import { secretIn } from './secret-file';
import { initializeData, launch, SUPERUSER } from './server';
import { unprivileged } from './unprivileged';

export interface EmbeddedPostgres {
  /** Connects to the database `startline`. */
  url: string;
  /** The server's process. */
  pid: number;
  /** The server was already running, because its parent was killed. The process that adopted it stops it. */
  adopted: boolean;
  /** Called when the server ends without a call of `stop`. */
  onEnd(listener: () => void): void;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The directory of data, password, port and log. */
  home: string;
  /** False: faster, and a crash of the machine may lose data. For tests. */
  durable?: boolean;
  log?: (line: string) => void;
}

const START_MS = 60_000;
const FOREIGN_MS = 2_000;
const INVALID_PASSWORD = '28P01';
const DATABASE = 'startline';

/**
 * Runs PostgreSQL in `home`, or adopts the server that runs there. The server has its own process group, so that Ctrl-C
 * reaches the apps first. It outlives a parent that is killed, and the next start adopts it.
 *
 * @throws Error with the end of the server's log if it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const home = resolve(options.home);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return await inTurn(join(home, 'postgres.starting'), () => start(home, options));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new Error(
      `This user has no access to ${home} (${message}). Start as its owner, or set STARTLINE_HOME to another directory.`,
    );
  }
}

/** The URL of the server that runs in `home`, or undefined. */
export async function findEmbeddedPostgres(home: string): Promise<string | undefined> {
  const running = runningPostmaster(join(resolve(home), 'postgres'));
  return running && urlOf(readFileSync(passwordFileOf(resolve(home)), 'utf8').trim(), running.port);
}

async function start(home: string, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const data = join(home, 'postgres');
  const password = passwordFor(home, data);
  const running = await adoptable(data, password);
  if (running) options.log?.(`adopted the PostgreSQL server that runs in ${data}`);
  else if (!existsSync(data)) await initialize(home, data, options);
  const { pid, port } = running ?? (await launchReachable(home, data, password, options.durable ?? true));
  const url = urlOf(password, port);
  await createDatabase(url);
  const watches: { unwatch(): void }[] = [];
  return {
    url,
    pid,
    adopted: running !== undefined,
    onEnd: (listener) => void watches.push(watchPostmaster(pid, data, listener)),
    stop: () => {
      for (const watch of watches) watch.unwatch();
      return stopPostmaster(pid, data);
    },
  };
}

/** The server that runs on the data, unless it is about to end. */
async function adoptable(data: string, password: string): Promise<Postmaster | undefined> {
  const running = runningPostmaster(data);
  const ended = running && (await untilReachable(urlOf(password, running.port), running.pid));
  return ended ? undefined : running;
}

/** Created in a temporary directory and then moved, so that an interrupted initialization is repeated. */
async function initialize(
  home: string,
  data: string,
  { durable = true, log }: EmbeddedOptions,
): Promise<void> {
  log?.(`creating a PostgreSQL database in ${data}`);
  // A unique name: an initdb whose parent was killed may still be writing to its directory.
  const unfinished = `${data}.unfinished-`;
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (path.startsWith(unfinished)) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
  const folder = unfinished + randomBytes(4).toString('hex');
  const as = unprivileged(data);
  mkdirSync(folder, { mode: 0o700 });
  letThrough(home, as);
  as.own(folder);
  as.own(passwordFileOf(home));
  await initializeData({ folder, passwordFile: passwordFileOf(home), durable }, as);
  renameSync(folder, data);
}

/** The server may run as another user, who needs access to its data but not to the rest of the home. */
function letThrough(home: string, { user }: ReturnType<typeof unprivileged>): void {
  if (user.uid) chmodSync(home, 0o711);
}

/** Retries if the port was taken meanwhile, or if processes of a killed server are still ending. */
async function launchReachable(home: string, data: string, password: string, durable: boolean) {
  const end = Date.now() + START_MS;
  const as = unprivileged(data);
  letThrough(home, as);
  forgetCrash(data);
  for (;;) {
    const port = await portIn(join(home, 'postgres-port'));
    const { pid, said } = await launch({ home, data, port, durable }, as);
    const failed = await untilReachable(urlOf(password, port), pid);
    if (!failed) return { pid, port };
    const words = said();
    const passing = /Address already in use|is still in use|"postmaster.pid" already exists/.test(words);
    if (!passing || Date.now() > end)
      throw new Error(
        `PostgreSQL did not start. The end of its log, ${join(home, 'postgres.log')}:\n${words}`,
      );
    await sleep(100);
  }
}

/**
 * @returns false if the process ended
 * @throws Error if the server runs but refuses the connection
 */
async function untilReachable(url: string, pid: number): Promise<boolean> {
  const start = Date.now();
  for (;;) {
    const failure = await onServer(url, async () => undefined).catch(
      (error) => error as Error & { code?: string },
    );
    if (!failure) return false;
    if (!isAlive(pid)) return true;
    // It can temporarily be another server that took the port.
    if (failure.code === INVALID_PASSWORD && Date.now() > start + FOREIGN_MS)
      throw new Error(
        'PostgreSQL refuses the password in postgres-password. Restore the file that the database was created with.',
      );
    if (Date.now() > start + START_MS)
      throw new Error(`PostgreSQL runs but does not respond: ${failure.message}`);
    await sleep(30);
  }
}

/** Also if an earlier start was killed after it started the server and before it created the database. */
const createDatabase = (url: string): Promise<void> =>
  onServer(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  });

/** Connects to the database `postgres`, which every server has. */
async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connectionString = url.replace(new RegExp(`/${DATABASE}$`), '/postgres');
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  // If the server ends, the query reports it; the event is ignored.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const urlOf = (password: string, port: number): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;

const passwordFileOf = (home: string): string => join(home, 'postgres-password');

/** Created before the data directory; if only the password is missing, the data is not accessible. */
function passwordFor(home: string, data: string): string {
  const file = passwordFileOf(home);
  if (existsSync(data) && !existsSync(file))
    throw new Error(
      `${file}, the password of ${data}, is missing. Restore the file, or move the data directory away.`,
    );
  return secretIn(file);
}
