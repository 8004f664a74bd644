import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';

/** How to run programs that refuse to run as root. */
export interface Unprivileged {
  /** Words before the command. */
  prefix: string[];
  /** The user to change to, where no prefix does it. */
  user: { uid?: number; gid?: number };
  /** Gives a file or folder to that user. */
  own(path: string): void;
  /** What to add where the user can't reach something. */
  advice: string;
}

const NOBODY = 65_534;

/**
 * As an ordinary user: nothing. As root: whoever owns the data already; if root does, or nobody yet, a user
 * namespace, in which root is nobody and yet owns the same files; where the system allows none, the user nobody.
 */
export function unprivileged(data: string): Unprivileged {
  if (process.getuid?.() !== 0) return { prefix: [], user: {}, own: () => {}, advice: '' };
  const owner = existsSync(data) ? statSync(data) : undefined;
  if (!owner?.uid && spawnSync('unshare', ['--user', 'true']).status === 0)
    return { prefix: ['unshare', '--user'], user: {}, own: () => {}, advice: '' };
  const { uid, gid } = owner?.uid ? owner : { uid: NOBODY, gid: NOBODY };
  return {
    prefix: [],
    user: { uid, gid },
    own: (path) => chownSync(path, uid, gid),
    advice: `\nPostgreSQL does not run as root, so it runs as user ${uid}, who needs access to ${data} and node_modules. Start as an ordinary user, or set STARTLINE_HOME to a directory that user ${uid} can access, or set DATABASE_URL.`,
  };
}
