import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const filesOf = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [path];

/** A hash of the names and contents of files and folders, so that a build can tell whether they have changed. */
export function stampOf(paths, except) {
  const hash = createHash('sha256');
  const files = paths.flatMap((path) => filesOf(join(ROOT, path))).map((file) => relative(ROOT, file));
  for (const file of files.sort()) {
    if (except && file.startsWith(except)) continue;
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}
