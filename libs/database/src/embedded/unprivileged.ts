import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';

/** How to run a program that refuses to run as root. */
export interface Unprivileged {
  /** Words before the command. */
  prefix: string[];
  /** The user to change to, where no prefix does it. */
  user: { uid?: number; gid?: number };
  /** Gives a folder to that user. */
  own(path: string): void;
}

const NOBODY = 65_534;

/**
 * As an ordinary user: nothing. As root: a user namespace of its own, in which root is nobody and yet owns the
 * same files; where the system allows none, the user nobody.
 */
export function unprivileged(): Unprivileged {
  if (process.getuid?.() !== 0) return { prefix: [], user: {}, own: () => {} };
  if (spawnSync('unshare', ['--user', 'true']).status === 0) {
    return { prefix: ['unshare', '--user'], user: {}, own: () => {} };
  }
  return { prefix: [], user: { uid: NOBODY, gid: NOBODY }, own: (path) => chownSync(path, NOBODY, NOBODY) };
}
