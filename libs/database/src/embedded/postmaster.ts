import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { isAlive } from './start-lock';

export interface Postmaster {
  pid: number;
  port: number;
}

/** The server that runs on the data folder, as its own lock file names it; a dead one's file is no server. */
export function runningPostmaster(data: string): Postmaster | undefined {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid && port && isAlive(pid) && isPostgres(pid, data) ? { pid, port } : undefined;
}

/** Ids of processes are used again: after a crash the file may name somebody else's. */
function isPostgres(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
  } catch {
    // No /proc on this system: believe the file.
    return !existsSync('/proc/self');
  }
}

/** Removes the lock file of a server that is gone, which would keep the next one from starting. */
export const forgetPostmaster = (data: string): void => rmSync(join(data, 'postmaster.pid'), { force: true });

/** Fast shutdown: ends connections, rolls back what is under way, writes everything down. */
export async function stopPostmaster(pid: number, withinMs = 30_000): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  const end = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() > end) process.kill(pid, 'SIGQUIT');
    await sleep(50);
  }
}

/** @returns why it can't be reached yet, or undefined once it answers */
export async function unreachable(url: string): Promise<Error | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => {});
  }
}
