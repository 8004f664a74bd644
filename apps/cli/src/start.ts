import { parseArgs } from 'node:util';
import { loadEnvFile, loadSettings } from '#libs/config';
import { Startline } from './start/startline';

/**
 * `npm start`: the whole product on one machine, until Ctrl-C. With `--watch`, which `npm run dev` passes, api and
 * worker restart when a source file changes, and their logs go to the terminal.
 */
function main(): void {
  try {
    loadEnvFile();
    // Secrets that are not set are made in the home.
    const settings = loadSettings(process.env, { signs: Boolean(process.env.SIGNING_SECRETS) });
    const { values } = parseArgs({
      options: { watch: { type: 'boolean' }, 'show-key': { type: 'boolean' } },
    });
    const startline = new Startline(settings, { watch: values.watch, showKey: values['show-key'] });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => void startline.stop(0));
    stopWithNpm(startline);
    void startline.run();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

/** npm that is killed can't pass that on, and Ctrl-C would find nobody: what it started ends with it. */
function stopWithNpm(startline: Startline): void {
  if (!['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) void startline.stop(1, 'npm is gone, so everything stops.');
  }, 200).unref();
}

main();
