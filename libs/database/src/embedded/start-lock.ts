import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 60_000;

/** Whether a process of that id is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** One start at a time: a second one waits, and then finds the server running. A dead holder's lock is taken. */
export async function withStartLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const end = Date.now() + WAIT_MS;
  while (!take(path)) {
    if (Date.now() > end)
      throw new Error(`Another start holds ${path} for a minute already. Remove it if none is under way.`);
    await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    // An empty file is a holder that has not written its id yet.
    if (holder && !isAlive(holder)) rmSync(path, { force: true });
  } catch {
    // It was released meanwhile.
  }
  return false;
}
