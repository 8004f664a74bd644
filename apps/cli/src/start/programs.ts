import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOCATOR, AWAITS_SETTINGS, releaseFolder } from '#platform/config';

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
    env: { ...ALLOCATOR, ...environment },
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

const consoleBuild = (...words: string[]): ChildProcess =>
  spawn(process.execPath, [join(releaseFolder(), 'apps', 'console', 'build', 'build.mjs'), ...words], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });

/** Builds the console after each change of its sources, until the returned function is called or this process ends. */
export function watchConsole(): () => void {
  const child = consoleBuild('--watch');
  return () => child.kill();
}

/** Builds the console, unless its sources have not changed. `built` resolves when the build has ended, also if it failed. */
export function buildConsole(): { built: Promise<void>; stop: () => void } {
  const child = consoleBuild();
  return { built: ended(child).then(() => {}), stop: () => child.kill() };
}

/** How much of the end of a log is read: all of it could be longer than a string can be. */
const END_BYTES = 65_536;

export function lastLinesOf(file: string): string {
  const log = openSync(file, 'r');
  try {
    const { size } = fstatSync(log);
    const end = Buffer.alloc(Math.min(size, END_BYTES));
    readSync(log, end, 0, end.length, size - end.length);
    return end.toString().trim().split('\n').slice(-5).join('\n');
  } finally {
    closeSync(log);
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  once(child, 'close').then(
    ([status]) => status,
    () => null,
  );
