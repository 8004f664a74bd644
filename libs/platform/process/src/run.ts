import { once } from 'node:events';
import type { INestApplicationContext } from '@nestjs/common';
import {
  AWAITS_SETTINGS,
  loadEnvFile,
  loadSettings,
  misspeltSettings,
  type Settings,
  SettingsError,
} from '#platform/config';
import { isNotMigrated } from '#platform/database';
import { limitHeapGrowth } from './heap-growth';
import { Logs } from './logs/logs';

/** The time for a shutdown beyond SHUTDOWN_MS, for pools whose statements do not end. */
const GRACE_MS = 3_000;
/** Of what was in use after the last collection. Less saves memory and costs CPU. */
const HEAP_GROWTH_PERCENT = 100;

/**
 * Runs a process. If it can't start, it prints the reason in one line on standard error and exits with code 1. After
 * SIGTERM or SIGINT, it exits with code 0 when all requests and jobs are finished.
 */
export async function run(
  name: Logs['process'],
  start: (settings: Settings, logs: Logs) => Promise<INestApplicationContext>,
): Promise<void> {
  try {
    endWithParent();
    if (process.argv.includes(AWAITS_SETTINGS)) await settingsOfParent();
    loadEnvFile();
    const settings = loadSettings(process.env, { signs: name === 'api' });
    const logs = new Logs(settings, name);
    for (const warning of misspeltSettings()) logs.lines.warn(warning);
    dieInWords(logs);
    limitHeapGrowth(HEAP_GROWTH_PERCENT);
    const app = await start(settings, logs);
    endWithin(settings.DRAIN_MS + settings.SHUTDOWN_MS + GRACE_MS, logs);
    app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
    const { HOST: host, PORT, METRICS_PORT: metricsPort } = settings;
    logs.lines.info({ host, port: name === 'api' ? PORT : undefined, metricsPort }, 'started');
  } catch (error) {
    process.stderr.write(`startline ${name}: ${reasonOf(error)}\n`);
    process.exit(1);
  }
}

/** If the IPC channel to the parent (`npm start`) breaks, the parent was killed: this process must end itself. */
function endWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  if (process.send && !process.connected) process.exit(1);
}

/** The parent sends environment variables when the process may start. */
async function settingsOfParent(): Promise<void> {
  const [environment] = (await once(process, 'message')) as [NodeJS.ProcessEnv];
  Object.assign(process.env, environment);
}

function reasonOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const { code, syscall, port, address, hostname, message, stack } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
    hostname?: string;
  };
  if (code === 'EADDRINUSE')
    return `${settingOf(port)}: port ${port} of ${address} is in use; stop the program that uses it, or set another port`;
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && syscall === 'getaddrinfo'))
    return `HOST: can't listen on ${address ?? hostname}: this machine has no such address`;
  if (code === 'EACCES' && port)
    return `${settingOf(port)}: this user has no permission to listen on port ${port}`;
  if (isNotMigrated({ code }))
    return `the database is not up to date (${message}). Run "npm run startline -- migrate" first`;
  return `did not start: ${stack ?? String(error)}`;
}

const settingOf = (port?: number): string =>
  Number(process.env.METRICS_PORT) === port ? 'METRICS_PORT' : 'PORT';

/** Logs uncaught errors itself: Node would print the whole error, including values from requests. */
function dieInWords(logs: Logs): void {
  process.on('uncaughtException', (error) => {
    logs.lines.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}

function endWithin(ms: number, logs: Logs): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logs.lines.info({ signal }, 'ending');
      setTimeout(() => {
        logs.lines.error('requests or jobs did not finish in time');
        process.exit(1);
      }, ms).unref();
    });
  }
}
