/**
 * Builds the console into `dist/console`, unless its sources have not changed. Compresses the files once, so that the
 * API never compresses. With `--watch`, which `npm run dev` passes, it builds after every change until it is stopped.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesOf, ROOT, stampOf } from '../../../build/stamp.mjs';

const OUTPUT = join(ROOT, 'dist/console');
const STAMP = join(ROOT, 'dist/console.stamp');
/** The modules of the last build that are elsewhere. To import another one, a file that is here already has to change. */
const MODULES = join(ROOT, 'dist/console.modules.json');
const SOURCES = ['apps/console', 'openapi.json', 'package-lock.json'];
const COMPRESSED = ['.js', '.css', '.svg', '.html', '.wasm'];

function compress() {
  for (const file of filesOf(OUTPUT).filter((name) => COMPRESSED.includes(extname(name)))) {
    const content = readFileSync(file);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

/** Writes which modules of libraries were bundled. */
const modules = {
  name: 'modules',
  buildEnd() {
    const found = [...this.getModuleIds()].map((id) => relative(ROOT, id.split('?')[0]));
    writeFileSync(MODULES, JSON.stringify(found.filter((path) => path.startsWith('libs/')).sort()));
  },
};

function stampNow() {
  const found = existsSync(MODULES) ? JSON.parse(readFileSync(MODULES, 'utf8')) : [];
  return stampOf([...SOURCES, ...found.filter((path) => existsSync(join(ROOT, path)))]);
}

async function run(options) {
  // Its configuration is bundled on purpose: it imports TypeScript that tests import too.
  process.env.VITE_CONFIG_NATIVE_IGNORE_WARNING = 'true';
  const { build } = await import('vite');
  return build({
    configFile: join(ROOT, 'apps/console/vite.config.mjs'),
    configLoader: 'bundle',
    logLevel: 'warn',
    plugins: [modules],
    ...options,
  });
}

if (process.argv.includes('--watch')) {
  const watcher = await run({ mode: 'development', build: { watch: {} } });
  watcher.on('event', (event) => {
    if (event.code === 'ERROR') process.stderr.write(`The console: ${event.error.message}\n`);
    if (event.code !== 'END' || !existsSync(OUTPUT)) return;
    compress();
    // The api reads the files again when this file changes, and the next `npm run build` builds without `--watch`.
    writeFileSync(STAMP, `development ${Date.now()}`);
  });
  process.on('disconnect', () => process.exit());
} else {
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stampNow()) {
    await run({});
    compress();
    writeFileSync(STAMP, stampNow());
  }
}
