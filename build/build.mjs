/**
 * `npm run build`: compiles the programs into `dist`, packs the client, then builds the console; each unless its sources
 * have not changed.
 * With `--programs`, the console is left to `npm start`, which builds it when the api is ready. `npm ci` runs it too,
 * so that the first `npm start` does not have to.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, stampOf } from './stamp.mjs';

const CONSOLE = join('apps', 'console');
const MIGRATIONS = join(ROOT, 'dist', 'libs', 'database', 'src', 'migrations');
const STAMP = join(ROOT, 'dist', 'programs.stamp');

function run(...words) {
  const { status } = spawnSync(process.execPath, words, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// An image has no sources yet when it installs packages, and without development packages there is no compiler.
const canBuild = ['apps', 'libs', 'node_modules/@swc/cli'].every((path) => existsSync(join(ROOT, path)));
if (process.env.npm_lifecycle_event === 'prepare' && !canBuild) process.exit();

const stamp = stampOf(['apps', 'libs', 'build', '.swcrc', 'package-lock.json'], CONSOLE);
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) {
  rmSync(STAMP, { force: true });
  // Migrations are found by their files, so none may stay that has no source.
  rmSync(MIGRATIONS, { recursive: true, force: true });
  const swc = createRequire(import.meta.url).resolve('@swc/cli/bin/swc.js');
  run(
    swc,
    ...'apps libs -d dist --config-file .swcrc --copy-files --quiet --ignore'.split(' '),
    `${CONSOLE}/**`,
  );
  run('dist/libs/imports/src/write-shape-sources.js');
  writeFileSync(STAMP, stamp);
}
await import('./pack-client.mjs');
if (!process.argv.includes('--programs')) await import('../apps/console/build/build.mjs');
