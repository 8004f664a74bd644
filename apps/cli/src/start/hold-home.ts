import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Claimed, claim, heldBy } from '#platform/embedded-postgres';

/** How long to wait for a previous process that is stopping. */
const STOPPING_MS = 5_000;

const lockOf = (home: string): string => join(home, 'start.json');

/** The address of the api that `npm start` runs in this home, or undefined. */
export const runningIn = (home: string): string | undefined => heldBy(lockOf(home));

/**
 * Locks the home directory for one `npm start` at a time: a second one would stop the database of the first.
 *
 * @param url the address of the api
 * @returns how to release the lock, and whether the previous process was killed
 * @throws Error that names the process that holds the lock
 */
export async function holdHome(
  home: string,
  url: string,
): Promise<{ release: () => void; afterKill: boolean }> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // Logs and the database are readable by their owner only, also in a directory that exists.
    chmodSync(home, 0o700);
  } catch (error) {
    throw new Error(`STARTLINE_HOME: can't make the directory ${home}: ${(error as Error).message}`);
  }
  const file = lockOf(home);
  const afterKill = existsSync(file);
  const end = Date.now() + STOPPING_MS;
  for (;;) {
    try {
      return { release: claim(file, url), afterKill };
    } catch (error) {
      if (!(error instanceof Claimed)) throw error;
      const { pid, about } = error.holder;
      if (Date.now() >= end)
        throw new Error(
          `Startline already runs in ${home}, at ${about} (process ${pid}). Stop it first, or set STARTLINE_HOME to another directory.`,
        );
      await sleep(100);
    }
  }
}
