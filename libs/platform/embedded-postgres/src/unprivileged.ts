import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';

/** How to run programs that refuse to run as root. */
export interface Unprivileged {
  /** The prefix of the command. */
  prefix: string[];
  /** The user to switch to, if there is no prefix. */
  user: { uid?: number; gid?: number };
  /** Changes the owner of a file or directory to that user. */
  own(path: string): void;
  /** A hint for errors about missing access. */
  advice: string;
}

const NOBODY = 65_534;

/**
 * An ordinary user needs nothing. As root: the owner of the data; if that is root or there is no data yet, a user
 * namespace, in which the process is not root but owns the same files; if the system does not permit namespaces, the user
 * `nobody`.
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
