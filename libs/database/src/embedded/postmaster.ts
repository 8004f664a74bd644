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

/** The server that runs on the data folder, as its own lock file names it; a dead one's file is no server. */
export function runningPostmaster(data: string): Postmaster | undefined {
  const file = join(data, LOCK_FILE);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid && port && isPostmaster(pid, data) ? { pid, port } : undefined;
}

/** A server works in its data folder. Where the system does not tell, the file is believed. */
const isPostmaster = (pid: number, data: string): boolean => isAlive(pid) && worksIn(pid, data) !== false;

/**
 * After a crash the lock file may be empty, or name a process that is somebody else's by now: the next server
 * would not start. Where its process is gone it stays, because by it the server sees whether processes of
 * the one before still write to the data.
 */
export function forgetCrash(data: string): void {
  const file = join(data, LOCK_FILE);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!pid || (isAlive(pid) && !isPostmaster(pid, data))) rmSync(file);
}

/** Ends connections, rolls back what is under way, writes everything down. */
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
    // It ended by itself just now, or is not ours to stop; the wait tells.
  }
  const end = Date.now() + withinMs;
  while (isPostmaster(pid, data)) {
    if (Date.now() > end) return false;
    await sleep(20);
  }
  return true;
}

/** Calls back when the server ends. */
export function watchPostmaster(pid: number, data: string, onEnd: () => void): { unwatch(): void } {
  const timer = setInterval(() => {
    if (isPostmaster(pid, data)) return;
    clearInterval(timer);
    onEnd();
  }, 500).unref();
  return { unwatch: () => clearInterval(timer) };
}
