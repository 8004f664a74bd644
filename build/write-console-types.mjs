/**
 * `npm run client`: writes the types of the console, which calls operations of both documents. With `--check`, fails if the file differs.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './stamp.mjs';

const read = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const [open, own] = [read('openapi.json'), read('openapi.console.json')];
const merged = {
  ...open,
  paths: { ...open.paths, ...own.paths },
  components: {
    ...open.components,
    parameters: { ...open.components.parameters, ...own.components.parameters },
    schemas: { ...open.components.schemas, ...own.components.schemas },
  },
};
const folder = mkdtempSync(join(tmpdir(), 'startline-console-types-'));
try {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(merged));
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'openapi-typescript', 'bin', 'cli.js'),
      ...[file, '-o', 'apps/console/src/openapi.ts', '--root-types', '--root-types-no-schema-prefix'],
      ...['--default-non-nullable=false', ...process.argv.slice(2)],
    ],
    { cwd: ROOT, stdio: 'inherit' },
  );
  process.exitCode = status;
} finally {
  rmSync(folder, { recursive: true });
}
