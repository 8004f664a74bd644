import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { DataSource } from 'typeorm';
import { SIGNING_SECRETS, sharedSettings, testDatabase } from '#libs/testing';
import { appUrlOf, createDataSource } from '#platform/database';
import { run } from '../../apps/cli/src/run';

const MAIN = resolve(__dirname, '../../dist/apps/cli/src/main.js');

/** The exit code of a command, and its output. */
export interface Outcome<Answer = any> {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The single JSON value on standard output, with `--json`. */
  answer: Answer;
}

export interface CommandLine {
  dataSource: DataSource;
  databaseUrl: string;
  /** Runs a command with `--json`, as programs do. */
  run<Answer = any>(...words: string[]): Promise<Outcome<Answer>>;
  /** With other settings. */
  runWith<Answer = any>(environment: Record<string, string>, ...words: string[]): Promise<Outcome<Answer>>;
  /** Without `--json`, as people do. */
  say(...words: string[]): Promise<Omit<Outcome, 'answer'>>;
  /** Like `run`, in a separate process, with options of Node. */
  spawn<Answer = any>(options: string[], ...words: string[]): Promise<Outcome<Answer>>;
  /** Writes a file and returns its path. */
  file(name: string, content: string | Buffer): string;
  close(): Promise<void>;
}

/** The command line with a new database, or with the given one. */
export async function commandLine(
  url?: string,
  environment: Record<string, string> = {},
): Promise<CommandLine> {
  const database = url ? undefined : await testDatabase();
  const databaseUrl = url ?? database?.url ?? '';
  const dataSource = await createDataSource({ url: databaseUrl, applicationName: 'test' }).initialize();
  const home = mkdtempSync(join(tmpdir(), 'startline-cli-'));
  const settings = {
    DATABASE_OWNER_URL: databaseUrl,
    DATABASE_URL: appUrlOf(databaseUrl),
    STARTLINE_HOME: home,
    SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    ...sharedSettings(),
    ...environment,
  };
  const runWith = async (others: Record<string, string>, ...words: string[]): Promise<Outcome> => {
    const outcome = await inProcess(
      {
        ...settings,
        // The URL of a test's own database is the owner's.
        ...('DATABASE_URL' in others && { DATABASE_OWNER_URL: '' }),
        ...others,
      },
      [...words, '--json'],
    );
    return { ...outcome, answer: JSON.parse(outcome.stdout) };
  };
  return {
    dataSource,
    databaseUrl,
    run: (...words) => runWith({}, ...words),
    runWith,
    say: (...words) => inProcess(settings, words),
    spawn: async (options, ...words) => {
      const outcome = await ofItsOwn(options, settings, [...words, '--json']);
      return { ...outcome, answer: JSON.parse(outcome.stdout) };
    },
    file: (name, content) => {
      const path = join(home, name);
      writeFileSync(path, content);
      return path;
    },
    close: async () => {
      await dataSource.destroy();
      await database?.drop();
      rmSync(home, { recursive: true });
    },
  };
}

async function inProcess(environment: Record<string, string>, words: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await run(words, { environment, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
}

async function ofItsOwn(options: string[], environment: Record<string, string>, words: string[]) {
  const program = [...options, MAIN, ...words];
  const child = spawn(process.execPath, program, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: code as number | null, stdout, stderr };
}
