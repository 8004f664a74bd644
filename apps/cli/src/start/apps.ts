import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const EXTENSION = __filename.slice(-3);

export interface App {
  name: string;
  process: ChildProcess;
  logFile: string;
  /** Resolves, with what it said last, when the app is gone. */
  gone: Promise<string>;
}

/** The built program of an app: `dist/apps/<name>/src/main.js`. */
export const programOf = (name: string): string => join(ROOT, name, 'src', `main${EXTENSION}`);

/**
 * Starts one app with its log in `<home>/logs/<name>.log`. It is a process group of its own, so that Ctrl-C
 * reaches only us and we stop things in order; it ends by itself when the channel to us breaks.
 */
export function startApp(name: string, home: string, environment: NodeJS.ProcessEnv): App {
  const logs = join(home, 'logs');
  mkdirSync(logs, { recursive: true });
  const logFile = join(logs, `${name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [...process.execArgv, programOf(name)], {
    env: environment,
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  const gone = once(child, 'exit').then(() =>
    readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n'),
  );
  return { name, process: child, logFile, gone };
}

/** Lets it finish what is under way, for at most `withinMs`. */
export async function stopApp({ process: child, gone }: App, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await gone;
  clearTimeout(impatience);
}
