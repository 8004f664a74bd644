/**
 * Packs the client of this release into `dist/client.tgz`, which the api serves: compiled, with its types, and with the
 * packages that it needs, so that its users install nothing from a registry.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesOf, ROOT, stampOf, unlessBuilt } from './stamp.mjs';

const CLIENT = join(ROOT, 'libs', 'client');
/** The library that the client uses: beside the client in the package, as here. */
const SHEETS = join(ROOT, 'libs', 'sheets');
/** The server for assistants, which is one file in the package. */
const MCP = join(CLIENT, 'src', 'mcp');
const OUTPUT = join(ROOT, 'dist', 'client.tgz');

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

/** File by file: `npm run check` has checked the types, which takes longer than all the rest. */
async function compile(sources, folder) {
  const { default: ts } = await import('typescript');
  const { compilerOptions } = json(join(CLIENT, 'tsconfig.build.json'));
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, CLIENT);
  for (const file of filesOf(sources)) {
    const name = relative(sources, file);
    if (/\.test\.ts$|(^|[/\\])testing[/\\]/.test(name) || file.startsWith(MCP)) continue;
    const given = { compilerOptions: options, fileName: file, reportDiagnostics: true };
    const text = readFileSync(file, 'utf8');
    const target = join(folder, name);
    mkdirSync(dirname(target), { recursive: true });
    for (const [transpile, ending] of [
      [ts.transpileModule, '.js'],
      [ts.transpileDeclaration, '.d.ts'],
    ]) {
      const { outputText, diagnostics } = transpile(text, given);
      if (diagnostics.length > 0)
        throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
      writeFileSync(target.replace(/\.ts$/, ending), outputText);
    }
  }
}

async function pack() {
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
  await compile(join(CLIENT, 'src'), join(folder, 'dist', 'client', 'src'));
  await compile(join(SHEETS, 'src'), join(folder, 'dist', 'sheets', 'src'));
  // docs/decisions/client.md#the-server-for-assistants
  const mcp = join(folder, 'dist', 'client', 'src', 'mcp');
  const { bundle } = await import('./bundle.mjs');
  await bundle({ entry: join(MCP, 'main.ts'), folder: mcp, name: 'main', format: 'cjs' });
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', join(ROOT, 'dist')];
  const { npm_execpath: npm = '' } = process.env;
  if (npm.endsWith('.js')) run(process.execPath, [npm, ...words], folder);
  else run('npm', words, folder);
  renameSync(join(ROOT, 'dist', `startline-client-${version}.tgz`), OUTPUT);
  rmSync(folder, { recursive: true });
}

const stamp = stampOf(['libs/client', 'libs/sheets', 'build', 'package.json', 'package-lock.json']);
await unlessBuilt('client', stamp, pack);
