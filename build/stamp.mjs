import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/**
 * Runs a build unless its last run had the same sources.
 *
 * @param name of the build; `dist/<name>.stamp` keeps the hash of its sources
 */
export async function unlessBuilt(name, stamp, build) {
  const file = join(ROOT, 'dist', `${name}.stamp`);
  if (existsSync(file) && readFileSync(file, 'utf8') === stamp) return;
  rmSync(file, { force: true });
  await build();
  writeFileSync(file, stamp);
}
