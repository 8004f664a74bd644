import { parseArgs } from 'node:util';
import { loadEnvFile, loadSettings, misspeltSettings } from '#platform/config';
import { Startline } from './start/startline';

/**
 * `npm start`: runs everything on one machine until Ctrl-C. With `--watch`, which `npm run dev` passes, the api and the
 * worker restart and the console is built when a source file changes, and their logs go to the terminal.
 */
function main(): void {
  try {
    loadEnvFile();
    // Missing secrets are generated in the home directory.
    const settings = loadSettings(process.env, { signs: Boolean(process.env.SIGNING_SECRETS) });
    for (const warning of misspeltSettings()) process.stderr.write(`${warning}\n`);
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

/** If npm is killed, no signal reaches this process: it watches its parent and stops when npm is gone. */
function stopWithNpm(startline: Startline): void {
  if (!['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) void startline.stop(1, 'npm was killed. Stopping.');
  }, 200).unref();
}

main();
