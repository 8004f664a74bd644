import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, worksIn } from './processes';

export interface Postmaster {
  pid: number;
  port: number;
}

const LOCK_FILE = 'postmaster.pid';
const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/** The running server of the data directory, from its lock file; `undefined` if its process is dead. */
export function runningPostmaster(data: string): Postmaster | undefined {
  const file = join(data, LOCK_FILE);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid && port && isPostmaster(pid, data) ? { pid, port } : undefined;
}

/** The working directory of a server is its data directory. If the system can't tell, the lock file is trusted. */
const isPostmaster = (pid: number, data: string): boolean => isAlive(pid) && worksIn(pid, data) !== false;

/**
 * After a crash, the lock file can be empty or contain an id that another process has now, and the next server would not
 * start. If the process does not exist, the file stays: the server uses it to detect that processes of its predecessor
 * still write to the data.
 */
export function forgetCrash(data: string): void {
  const file = join(data, LOCK_FILE);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!pid || (isAlive(pid) && !isPostmaster(pid, data))) rmSync(file);
}

/** A fast shutdown: ends connections, rolls back open transactions, and writes a checkpoint. */
export async function stopPostmaster(pid: number, data: string): Promise<void> {
  if (await ended('SIGINT', pid, data, FAST_SHUTDOWN_MS)) return;
  if (await ended('SIGQUIT', pid, data, IMMEDIATE_SHUTDOWN_MS)) return;
  throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

async function ended(signal: NodeJS.Signals, pid: number, data: string, withinMs: number): Promise<boolean> {
  if (!isPostmaster(pid, data)) return true;
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended, or belongs to another user; the wait below decides.
  }
  const end = Date.now() + withinMs;
  while (isPostmaster(pid, data)) {
    if (Date.now() > end) return false;
    await sleep(20);
  }
  return true;
}

/** Called when the server ends. */
export function watchPostmaster(pid: number, data: string, onEnd: () => void): { unwatch(): void } {
  const timer = setInterval(() => {
    if (isPostmaster(pid, data)) return;
    clearInterval(timer);
    onEnd();
  }, 500).unref();
  return { unwatch: () => clearInterval(timer) };
}
