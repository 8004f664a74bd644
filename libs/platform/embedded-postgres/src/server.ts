import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findBinaries } from './binaries';
import type { Unprivileged } from './unprivileged';

export const SUPERUSER = 'startline';

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'TimeZone=UTC',
];
const UNDURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** A separate process group, so that Ctrl-C reaches the apps first. */
function run({ prefix, user }: Unprivileged, program: string, words: string[], log: number | 'pipe') {
  const [command = '', ...rest] = [...prefix, program, ...words];
  return spawn(command, rest, { detached: true, stdio: ['ignore', log, log], ...user });
}

/** @throws Error with the output of initdb */
export async function initializeData(
  { folder, passwordFile, durable }: { folder: string; passwordFile: string; durable: boolean },
  as: Unprivileged,
): Promise<void> {
  const initdb = run(
    as,
    findBinaries().initdb,
    [
      ...['-D', folder, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
      ...['--no-instructions', '--data-checksums', ...(durable ? [] : ['--no-sync'])],
    ],
    'pipe',
  );
  let said = '';
  initdb.stdout?.resume();
  initdb.stderr?.on('data', (text) => {
    said += text;
  });
  const [status] = await once(initdb, 'close').catch((error: Error) => [error.message]);
  if (status !== 0)
    throw new Error(`PostgreSQL can't create its data directory: ${said.trim() || status}${as.advice}`);
}

export interface Server {
  pid: number;
  /** The log since the start. */
  said(): string;
}

/** @throws Error if the program can't be run */
export async function launch(
  { home, data, port, durable }: { home: string; data: string; port: number; durable: boolean },
  as: Unprivileged,
): Promise<Server> {
  const logFile = join(home, 'postgres.log');
  const log = openSync(logFile, 'a', 0o600);
  const before = statSync(logFile).size;
  const settings = [...SETTINGS, ...(durable ? [] : UNDURABLE)].flatMap((setting) => ['-c', setting]);
  const server = run(as, findBinaries().postgres, ['-D', data, '-p', String(port), ...settings], log);
  closeSync(log);
  try {
    await once(server, 'spawn');
  } catch (error) {
    throw new Error(`PostgreSQL can't be run: ${(error as Error).message}${as.advice}`);
  }
  server.unref();
  return {
    pid: server.pid as number,
    said: () => readFileSync(logFile).subarray(before).toString('utf8').trim(),
  };
}
