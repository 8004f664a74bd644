import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../..');
const CLIENT = join(ROOT, 'libs/client');
const run = promisify(execFile);

/**
 * Packs the client as published, and installs it into a folder like npm. Its dependencies are copied from here, so
 * that no registry is needed.
 */
export async function installClient(folder: string): Promise<void> {
  const sources = join(folder, 'client-sources');
  cpSync(CLIENT, sources, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'));
  const env = {
    // Where the build of the package finds its compiler.
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: folder,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  await run('npm', ['pack', '--pack-destination', folder], { cwd: sources, env });
  rmSync(sources, { recursive: true });

  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, '@startline/client');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '--strip-components', '1', '-C', installed]);
  const progressBar = ['cli-progress', 'string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex'];
  const others = ['csv-parse', 'is-fullwidth-code-point', 'openapi-fetch', 'openapi-typescript-helpers'];
  for (const name of [...progressBar, ...others]) {
    cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true });
  }
}
