import type { INestApplicationContext } from '@nestjs/common';
import { loadEnvFile, loadSettings, type Settings, SettingsError } from '#libs/config';
import { Logs } from './logs/logs';

/** What an end may take beyond SHUTDOWN_MS: closing pools whose statements don't end. */
const GRACE_MS = 3_000;

/**
 * A process from start to end. What keeps it from starting is said in one line on standard error, with exit
 * code 1; SIGTERM and SIGINT end it with 0 when everything under way is done.
 */
export async function run(
  name: 'api' | 'worker',
  start: (settings: Settings, logs: Logs) => Promise<INestApplicationContext>,
): Promise<void> {
  try {
    endWithParent();
    loadEnvFile();
    const settings = loadSettings(process.env, { signs: name === 'api' });
    const logs = new Logs(settings, name);
    dieInWords(logs);
    const app = await start(settings, logs);
    endWithin(settings.DRAIN_MS + settings.SHUTDOWN_MS + GRACE_MS, logs);
    app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
    logs.lines.info('started');
  } catch (error) {
    process.stderr.write(`startline ${name}: ${reasonOf(error)}\n`);
    process.exit(1);
  }
}

/** Whoever keeps a channel to this process (`npm start` does) was killed when it breaks: nobody else would end us. */
function endWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  if (process.send && !process.connected) process.exit(1);
}

function reasonOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const { code, port, address, stack } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken: end what listens there, or set another`;
  if (code === 'EACCES' && port) return `port ${port} needs privileges that this user hasn't got`;
  return `did not start: ${stack ?? String(error)}`;
}

/** Node's own last words would print an error whole, values and all. */
function dieInWords(logs: Logs): void {
  process.on('uncaughtException', (error) => {
    logs.lines.fatal({ err: error }, 'nobody caught this');
    process.exit(1);
  });
}

function endWithin(ms: number, logs: Logs): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logs.lines.info({ signal }, 'ending');
      setTimeout(() => {
        logs.lines.error('what was under way did not end in time');
        process.exit(1);
      }, ms).unref();
    });
  }
}
