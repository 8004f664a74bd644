import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Hashes of the files with the classes that `openapi.json` describes, at the time it was written. */
export const SHAPE_SOURCES = 'openapi.sources.json';

/** @param root the repository */
export function shapeSourcesOf(root: string): Record<string, string> {
  const files = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(dto|import)\.ts$/.test(file))
    .sort();
  return Object.fromEntries(
    files.map((file) => {
      const source = readFileSync(join(root, 'libs', file));
      return [`libs/${file}`, createHash('sha256').update(source).digest('hex').slice(0, 16)];
    }),
  );
}

/**
 * Batches are validated against `openapi.json`, so after a change of a class, rows would be validated by outdated rules.
 *
 * @throws Error that names the files that have changed
 */
export function requireFreshShapes(): void {
  const root = rootAbove(__dirname);
  const written = read(join(root, SHAPE_SOURCES));
  // A build contains the hashes of its sources.
  const running = __filename.endsWith('.ts') ? shapeSourcesOf(root) : read(join(root, 'dist', SHAPE_SOURCES));
  const stale = [...new Set([...Object.keys(written), ...Object.keys(running)])].filter(
    (file) => written[file] !== running[file],
  );
  if (stale.length > 0)
    throw new Error(
      `openapi.json is older than ${stale.join(', ')}. Run \`npm run openapi\`, and build again.`,
    );
}

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8'));

/** The directory with openapi.json. Sources and the build are at different depths below it. */
export function rootAbove(folder: string): string {
  if (existsSync(join(folder, SHAPE_SOURCES)) && existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder)
    throw new Error(`${SHAPE_SOURCES} is missing; it must be next to package.json`);
  return rootAbove(dirname(folder));
}
