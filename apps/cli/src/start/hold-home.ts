import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Claimed, claim } from '#libs/database';

/**
 * One `npm start` in a home at a time: the second would stop the database under the first.
 *
 * @param url where the api will be
 * @returns how to let go of it, and whether the one before was killed
 * @throws Error that names the one that runs
 */
export function holdHome(home: string, url: string): { release: () => void; afterKill: boolean } {
  mkdirSync(home, { recursive: true });
  const file = join(home, 'start.json');
  const afterKill = existsSync(file);
  try {
    return { release: claim(file, url), afterKill };
  } catch (error) {
    if (!(error instanceof Claimed)) throw error;
    const { pid, about } = error.holder;
    throw new Error(
      `Startline runs from ${home} already, at ${about} (process ${pid}). Stop it first, or set STARTLINE_HOME to another folder.`,
    );
  }
}
