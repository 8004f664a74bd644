import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Claimed, claim } from '#libs/database';

/** How long the one before may take to stop, where it was told to just now. */
const STOPPING_MS = 5_000;

/**
 * One `npm start` in a home at a time: the second would stop the database under the first.
 *
 * @param url where the api will be
 * @returns how to let go of it, and whether the one before was killed
 * @throws Error that names the one that runs
 */
export async function holdHome(
  home: string,
  url: string,
): Promise<{ release: () => void; afterKill: boolean }> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // Its logs and its database are for its owner alone, also where an earlier release made it.
  chmodSync(home, 0o700);
  const file = join(home, 'start.json');
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
          `Startline runs from ${home} already, at ${about} (process ${pid}). Stop it first, or set STARTLINE_HOME to another folder.`,
        );
      await sleep(100);
    }
  }
}
