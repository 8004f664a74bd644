/**
 * `npm run build`: compiles the programs into `dist`, packs the clients, then builds the console; each unless its sources
 * have not changed.
 * With `--programs`, the console is left to `npm start`, which builds it when the api is ready. `npm ci` runs it too,
 * so that the first `npm start` does not have to.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { filesOf, ROOT, stampOf, unlessBuilt } from './stamp.mjs';

const CONSOLE = join('apps', 'console');
const MIGRATIONS = join(ROOT, 'dist', 'libs', 'platform', 'database', 'src', 'migrations');
const SEARCH = 'apps/api/src/reference/page/search.js';

/** Compiles TypeScript but tests, with source maps, and copies all other files. */
async function compile() {
  const { default: swc } = await import('@swc/core');
  const options = {
    ...JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8')),
    swcrc: false,
    configFile: false,
  };
  const files = ['apps', 'libs'].flatMap((folder) => filesOf(join(ROOT, folder)));
  await Promise.all(
    files.map(async (file) => {
      const name = relative(ROOT, file);
      if (name.startsWith(join(CONSOLE, '/')) || name.endsWith('.test.ts')) return;
      const target = join(ROOT, 'dist', name);
      mkdirSync(dirname(target), { recursive: true });
      if (!file.endsWith('.ts')) return copyFileSync(file, target);
      const compiled = target.replace(/ts$/, 'js');
      const sourceFileName = relative(dirname(target), file);
      const { code, map } = await swc.transformFile(file, { ...options, sourceFileName });
      writeFileSync(compiled, `${code}\n//# sourceMappingURL=${basename(compiled)}.map`);
      writeFileSync(`${compiled}.map`, map);
    }),
  );
}

function run(...words) {
  const { status } = spawnSync(process.execPath, words, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// An image has no sources yet when it installs packages, and without development packages there is no compiler.
const canBuild = ['apps', 'libs', 'node_modules/@swc/core'].every((path) => existsSync(join(ROOT, path)));
if (process.env.npm_lifecycle_event === 'prepare' && !canBuild) process.exit();

await unlessBuilt(
  'programs',
  stampOf(['apps', 'libs', 'build', '.swcrc', 'package-lock.json'], CONSOLE),
  async () => {
    // Migrations are found by their files, so none may stay that has no source.
    rmSync(MIGRATIONS, { recursive: true, force: true });
    await compile();
    run('dist/libs/domain/imports/src/write-shape-sources.js');
  },
);
// What the api serves beside its pages.
await unlessBuilt('search', stampOf([SEARCH, 'build', 'package-lock.json']), async () => {
  const { bundle } = await import('./bundle.mjs');
  await bundle({ entry: join(ROOT, SEARCH), folder: join(ROOT, 'dist'), name: 'search', format: 'es' });
});
await import('./pack-client.mjs');
await unlessBuilt(
  'python',
  stampOf(['clients/python', 'build', 'package.json']),
  () => import('./pack-python.mjs'),
);
await unlessBuilt(
  'collection',
  stampOf(['openapi.json', 'build', 'package-lock.json']),
  () => import('./write-collection.mjs'),
);
if (!process.argv.includes('--programs')) await import('../apps/console/build/build.mjs');
