import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

export const PACKAGE = resolve(__dirname, '../../clients/python');

const finds = (command: string, ...words: string[]) => {
  try {
    execFileSync(command, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** A command that is Python 3.11 or later; undefined if there is none. */
export const python: string | undefined = ['python3', 'python3.11', '/usr/bin/python3'].find((command) =>
  finds(command, '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'),
);

/** The type checker; undefined if there is none. */
export const mypy: string | undefined = ['mypy', '/usr/bin/mypy'].find((command) =>
  finds(command, '--version'),
);

/** Says in the output why tests are skipped. */
export function skippedWithout(found: string | undefined, what: string): typeof it {
  if (found) return it;
  process.stderr.write(`${what} is not installed: tests of the client for Python are skipped\n`);
  return it.skip as typeof it;
}
