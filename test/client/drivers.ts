import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { type Retry, StartlineClient, StartlineError, syncCommand } from '#libs/client';
import { PACKAGE, python } from './python';

/** What a client is asked to do; its properties depend on `do`. */
export interface Command {
  do: 'get' | 'post' | 'every' | 'export' | 'changes' | 'changeEvents' | 'import' | 'verify' | 'repair';
  baseUrl?: string;
  token?: string;
  tries?: number;
  timeoutSeconds?: number;
  path?: string;
  query?: Record<string, unknown>;
  params?: Record<string, string>;
  [given: string]: any;
}

/** What came of it. */
export interface Outcome {
  value?: any;
  /** An error of the client; `status` and so on only if there was a response. */
  error?: {
    message: string;
    status?: number;
    code?: string;
    requestId?: string;
    retryAfter?: number | null;
    problems?: unknown[];
  };
  /** The status of each response after which a request was repeated; null without a response. */
  retries: (number | null)[];
}

export type Driver = (command: Command) => Promise<Outcome>;

/** A program of a partner in Python: one process, which does one command after the other. Starts with the first one. */
export function inPython(): Driver & { end(): Promise<void> } {
  let program: ReturnType<typeof startPython> | undefined;
  const driver: Driver = async (command) => {
    program ??= startPython();
    program.child.stdin.write(`${JSON.stringify(command)}\n`);
    const { done, value } = await program.outcomes.next();
    if (done) throw new Error(await program.errors);
    return JSON.parse(value);
  };
  const end = async () => {
    program?.child.stdin.end();
    const [exitCode] = (await program?.exit) ?? [0];
    if (exitCode !== 0) throw new Error(await program?.errors);
  };
  return Object.assign(driver, { end });
}

function startPython() {
  const env = { ...process.env, PYTHONPATH: join(PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python as string, ['-W', 'error', join(__dirname, 'python/driver.py')], { env });
  const outcomes = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, outcomes, errors: text(child.stderr), exit: once(child, 'close') };
}

const ids = async (items: AsyncIterable<{ id: string }>) => {
  const found: string[] = [];
  for await (const { id } of items) found.push(id);
  return found;
};

async function take<Each>(items: AsyncIterable<Each>, count: number): Promise<Each[]> {
  const taken: Each[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

/** The same as in driver.py, with the copy of `startline-client sync`. */
async function repair(url: string, key: string) {
  const to = mkdtempSync(join(tmpdir(), 'startline-copy-'));
  const sync = (mode: 'once' | 'verify') =>
    syncCommand({
      ...{ url, key, to, mode, lists: ['participants'], every: 1, verifyEvery: 60, say: () => {} },
      progress: { start: () => {}, advance: () => {}, stop: () => {} },
    });
  const fileOf = (id: string) => `participants/${id.slice(-2)}.ndjson`;
  const linesOf = (file: string) =>
    readFileSync(join(to, file), { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
  const stored = () =>
    readdirSync(join(to, 'participants'))
      .flatMap((file) => linesOf(`participants/${file}`))
      .map((line): string => JSON.parse(line).id)
      .sort();
  const state = join(to, 'startline.json');
  const edit = (id: string, lines: string[]) => {
    writeFileSync(join(to, fileOf(id)), lines.map((line) => `${line}\n`).join(''));
    const known = JSON.parse(readFileSync(state, 'utf8'));
    known.bytes[fileOf(id)] = readFileSync(join(to, fileOf(id))).length;
    writeFileSync(state, JSON.stringify(known));
  };
  try {
    await sync('once');
    const [lost = '', old = ''] = stored();
    const without = (id: string) => linesOf(fileOf(id)).filter((line) => JSON.parse(line).id !== id);
    const aged = (id: string) => JSON.stringify({ id, updatedAt: '2020-01-01T00:00:00.000000Z' });
    edit(lost, without(lost));
    edit(old, [...without(old), aged(old)]);
    const stranger = `${old.slice(0, -6)}0000${old.slice(-2)}`;
    edit(stranger, [...linesOf(fileOf(stranger)), aged(stranger)]);
    const noticed = !(await sync('verify'));
    const complete = await sync('once');
    return { noticed, complete, ids: stored() };
  } finally {
    rmSync(to, { recursive: true });
  }
}

export const inTypeScript: Driver = async (command) => {
  const { baseUrl = 'http://localhost', token = 'a-key', tries, path, query, params } = command;
  const { timeoutSeconds } = command;
  const retries: (number | null)[] = [];
  const onRetry = ({ error }: Retry) => {
    retries.push(error instanceof StartlineError ? error.status : null);
  };
  const timed = (request: Request) =>
    fetch(
      new Request(request, timeoutSeconds ? { signal: AbortSignal.timeout(timeoutSeconds * 1_000) } : {}),
    );
  // Paths are data here: their types are those of `Call`, which tests of the client use.
  const client: any = new StartlineClient({ baseUrl, token, tries, onRetry, fetch: timed });
  const init = { params: { path: params, query } };
  const everyMs = 10;
  const commands: Record<Command['do'], () => unknown> = {
    get: () => client.get(path, init),
    post: () => client.post(path, { ...init, body: command.body }),
    every: () => ids(client.every(path, init)),
    export: () => ids(client.exportParticipants(query)),
    changes: async () => {
      const { since } = command;
      const groups: any[][] = await take(client.changes(path, { ...init, since, everyMs }), command.take);
      return {
        groups: groups.map((group) => group.map(({ id }) => id)),
        since: groups.at(-1)?.at(-1).updatedAt,
      };
    },
    changeEvents: async () => {
      const { after } = command;
      const pages: any[] = await take(client.changeEvents({ ...init, after, everyMs }), command.take);
      return {
        ids: pages.flatMap(({ events }) => events.map(({ id }: any) => id)),
        after: pages.at(-1).cursor,
      };
    },
    import: async () => {
      const progress: number[][] = [];
      const report = await client.import(path, command.rows, {
        idempotencyKey: command.key,
        batchRows: command.batchRows,
        onProgress: ({ accepted, processed }: any) => progress.push([accepted, processed]),
        everyMs: 50,
      });
      return {
        jobs: report.jobs.map(({ jobId }: any) => jobId),
        total: report.totalRows,
        succeeded: report.succeededRows,
        alreadyImported: report.alreadyImportedRows,
        last: progress.at(-1),
        failed: report.failed.map(({ row, error }: any) => [row, error.code]),
      };
    },
    // With the library that docs/webhooks.md names.
    verify: () =>
      command.requests.map(({ secret, body, headers, now }: any) => {
        const clock = jest.spyOn(Date, 'now').mockReturnValue(now * 1_000);
        try {
          return new Webhook(secret).verify(body, headers);
        } catch {
          return 'refused';
        } finally {
          clock.mockRestore();
        }
      }),
    repair: () => repair(baseUrl, token),
  };
  try {
    return { value: await commands[command.do](), retries };
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof StartlineError)) return { error: { message }, retries };
    const { status, code, requestId, retryAfter = null, problems } = error;
    return { error: { message, status, code, requestId, retryAfter, problems: [...problems] }, retries };
  }
};
