import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AWAITS_SETTINGS } from '#libs/config';

const ROOT = join(__dirname, '..', '..', '..');
const EXTENSION = __filename.slice(-3);

/** The program of an app, built or as source, and the Node options to run it. */
const programOf = (app: string): string[] => [
  ...process.execArgv,
  join(ROOT, app, 'src', `main${EXTENSION}`),
];

export interface App {
  name: string;
  logFile: string;
  /** Resolves when the app has ended, with its exit code or signal. */
  gone: Promise<string>;
  /** If it was started with `awaits`: lets it start, with additional environment variables. */
  begin(environment: NodeJS.ProcessEnv): void;
  /** Stops the app; it can finish its current work for at most `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

/**
 * Starts one app with its log in `<home>/logs/<name>.log`. The app has its own process group, so that Ctrl-C reaches
 * only this process, which stops the apps in order. The app ends when the channel to this process breaks.
 *
 * @param watch restart the app when a source file changes, and log to the terminal
 * @param again append to the log, which contains the reason why the app ended before
 * @param awaits only load the modules of the app, until `begin` is called
 */
export function startApp(
  name: string,
  home: string,
  environment: NodeJS.ProcessEnv,
  { watch = false, again = false, awaits = false }: { watch?: boolean; again?: boolean; awaits?: boolean },
): App {
  const logs = join(home, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  chmodSync(logs, 0o700);
  const logFile = join(logs, `${name}.log`);
  const log = openSync(logFile, again ? 'a' : 'w', 0o600);
  fchmodSync(log, 0o600);
  const watching = watch ? ['--watch', '--watch-preserve-output'] : [];
  const output = watch ? 'inherit' : log;
  const words = [...watching, ...programOf(name), ...(awaits ? [AWAITS_SETTINGS] : [])];
  const child = spawn(process.execPath, words, {
    env: environment,
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
  });
  closeSync(log);
  const gone = ended(child).then((status) =>
    status === null ? `${child.signalCode}` : `exit code ${status}`,
  );
  return {
    name,
    logFile,
    gone,
    begin: (more) => {
      // If it has ended, `gone` says so.
      if (child.connected) child.send(more, () => {});
    },
    stop: async (withinMs) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), withinMs);
      await gone;
      clearTimeout(impatience);
    },
  };
}

/** Builds the console after each change of its sources, until the returned function is called or this process ends. */
export function watchConsole(): () => void {
  const child = spawn(process.execPath, [join(ROOT, 'console', 'build', 'build.mjs'), '--watch'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  return () => child.kill();
}

export interface Command {
  /** The exit code, or null after a signal, and the standard output. */
  ended: Promise<{ status: number | null; output: string }>;
  kill(): void;
}

/** Runs a command of the command line; its messages go to the terminal. */
export function runCommand(words: string[], environment: NodeJS.ProcessEnv): Command {
  const child = spawn(process.execPath, [...programOf('cli'), ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return {
    ended: ended(child).then((status) => ({ status, output })),
    kill: () => {
      // A command that is killed while it shows a progress bar leaves the cursor hidden and line wrapping off.
      if (child.kill('SIGTERM') && process.stderr.isTTY) process.stderr.write('\x1b[?25h\x1b[?7h');
    },
  };
}

export const lastLinesOf = (file: string): string =>
  readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');

const ended = (child: ChildProcess): Promise<number | null> =>
  once(child, 'close').then(
    ([status]) => status,
    () => null,
  );
