/**
 * Packs the client of this release into `dist/client.tgz`, which the api serves: compiled, with its types, and with the
 * packages that it needs, so that its users install nothing from a registry.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, stampOf } from './stamp.mjs';

const CLIENT = join(ROOT, 'libs', 'client');
const OUTPUT = join(ROOT, 'dist', 'client.tgz');
const STAMP = join(ROOT, 'dist', 'client.stamp');

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

function run(command, words, cwd = ROOT) {
  const { status, error } = spawnSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** The packages that these need, and so on, as folders in `node_modules`. */
function closureOf(names) {
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    Object.keys(json(join(ROOT, 'node_modules', name, 'package.json')).dependencies ?? {}).forEach(add);
  };
  names.forEach(add);
  return [...found];
}

function pack() {
  const folder = join(ROOT, 'dist', 'client');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const description = json(join(CLIENT, 'package.json'));
  const names = Object.keys(description.dependencies);
  const { version } = json(join(ROOT, 'package.json'));
  const manifest = { ...description, version, bundleDependencies: names };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  cpSync(join(CLIENT, 'README.md'), join(folder, 'README.md'));
  for (const name of closureOf(names)) {
    const options = { recursive: true, filter: (file) => !file.endsWith('.map') };
    cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), options);
  }
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const project = join(CLIENT, 'tsconfig.build.json');
  run(process.execPath, [compiler, '-p', project, '--outDir', join(folder, 'dist')]);
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', join(ROOT, 'dist')];
  const { npm_execpath: npm = '' } = process.env;
  if (npm.endsWith('.js')) run(process.execPath, [npm, ...words], folder);
  else run('npm', words, folder);
  renameSync(join(ROOT, 'dist', `startline-client-${version}.tgz`), OUTPUT);
  rmSync(folder, { recursive: true });
}

const stamp = stampOf(['libs/client', 'build', 'package.json', 'package-lock.json']);
if (!existsSync(OUTPUT) || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) {
  pack();
  writeFileSync(STAMP, stamp);
}
