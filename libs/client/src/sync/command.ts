import { setTimeout as sleep } from 'node:timers/promises';
import { StartlineClient } from '../client';
import { StartlineError } from '../error';
import type { Progress } from '../progress';
import type { Retry } from '../sending';
import type { Say } from '../target';
import { type Copy, CopyRefused, LISTS, type List, type Owner } from './copy';
import { FolderCopy } from './folder-copy';
import { PostgresCopy } from './postgres-copy';
import { SqliteCopy } from './sqlite-copy';
import { Sync, type Verified } from './sync';

const LONGEST_WAIT_MS = 60_000;

export interface SyncCommandOptions {
  url: string;
  key: string;
  /** `postgres://…`, a file that ends in .sqlite, or a folder. */
  to: string;
  /** All that the key may read, by default. */
  lists?: readonly List[];
  /** Ends when the copy is complete and verified (`once`), or compared (`verify`, which repairs nothing). */
  mode: 'once' | 'verify' | 'watch';
  /** Seconds between two requests for changes, while there are none (`watch`). */
  every: number;
  /** Minutes between two comparisons (`watch`). */
  verifyEvery: number;
  signal?: AbortSignal;
  progress: Progress;
  say: Say;
}

/**
 * Makes a copy of lists, or continues one.
 *
 * @returns whether every list is equal to that of the API
 * @throws CopyRefused; StartlineError if the API refuses the key
 */
export async function syncCommand(options: SyncCommandOptions): Promise<boolean> {
  const client = clientOf(options);
  const { signal, say } = options;
  const owner = await ownerOf(client, signal);
  const lists = await readable(client, options);
  let wasOpen = false;
  for (let failed = 0; ; ) {
    try {
      const copy = await openCopy(options.to, owner);
      wasOpen = true;
      try {
        return await keep(client, copy, lists, options, () => {
          failed = 0;
        });
      } finally {
        await copy.close();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (options.mode !== 'watch' || error instanceof StartlineError) throw error;
      // The database may not know yet that the connection of this process was lost, which holds the copy.
      if (error instanceof CopyRefused && !wasOpen) throw error;
      const waitMs = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** failed++);
      const message = `The copy can't be written: ${(error as Error).message}. Next attempt in ${waitMs / 1_000} s.`;
      say(message, { event: 'failed', message: (error as Error).message, waitMs });
      await sleep(waitMs, undefined, { signal });
    }
  }
}

const clientOf = ({ url, key, say }: SyncCommandOptions) =>
  new StartlineClient({
    baseUrl: url,
    token: key,
    tries: Number.POSITIVE_INFINITY,
    longestWaitSeconds: Number.POSITIVE_INFINITY,
    onRetry: ({ error, waitMs, attempt }: Retry) => {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      const reason = cause?.code ? `Can't connect to ${url} (${cause.code})` : message.replace(/\.$/, '');
      const wait = Math.ceil(waitMs / 1_000);
      say(`${reason}. Next attempt in ${wait} s.`, { event: 'waiting', reason, attempt, waitMs });
    },
  });

async function ownerOf(client: StartlineClient, signal?: AbortSignal): Promise<Owner> {
  const identity = await client.get('/identity', { signal });
  if (!('permissions' in identity) || !identity.organiserId) {
    throw new CopyRefused('sync needs an API key of kind ORGANIZER.');
  }
  return { organiserId: identity.organiserId, partnerId: identity.partnerId ?? null };
}

/** @throws StartlineError if a list is asked for that the key may not read, or no list is readable */
async function readable(
  client: StartlineClient,
  { lists, say, signal }: SyncCommandOptions,
): Promise<List[]> {
  const found: List[] = [];
  let refusal: StartlineError | undefined;
  for (const list of lists ?? (Object.keys(LISTS) as List[])) {
    try {
      await client.get(LISTS[list], { params: { query: { 'page[size]': 1 } }, signal });
      found.push(list);
    } catch (error) {
      if (!(error instanceof StartlineError) || error.status !== 403 || lists) throw error;
      refusal = error;
      say(`${list}: not copied. ${error.message}`, { event: 'skipped', list, message: error.message });
    }
  }
  if (found.length === 0 && refusal) throw refusal;
  return found;
}

function openCopy(to: string, owner: Owner): Promise<Copy> {
  if (/^postgres(ql)?:\/\//.test(to)) return PostgresCopy.open(to, owner);
  return /\.(sqlite3?|db)$/.test(to) ? SqliteCopy.open(to, owner) : FolderCopy.open(to, owner);
}

async function keep(
  client: StartlineClient,
  copy: Copy,
  lists: readonly List[],
  { mode, every, verifyEvery, signal, progress, say }: SyncCommandOptions,
  onVerified: () => void,
): Promise<boolean> {
  let counting = false;
  const sync = new Sync({ client, copy, signal, onRows: (_, rows) => counting && progress.advance(rows) });
  for (const list of lists) {
    const isNew = copy.since(list) === undefined;
    if (isNew) progress.start(await sync.total(list));
    counting = isNew;
    const startedAt = performance.now();
    const rows = await sync.catchUp(list).finally(() => counting && progress.stop());
    counting = false;
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = Math.round(rows / Math.max(seconds, 0.001));
    const what = isNew ? 'copied' : 'changed since the last run';
    say(`${list}: ${count(rows)} rows ${what}, in ${seconds.toFixed(1)} s (${count(rate)}/s).`, {
      event: 'copied',
      ...{ list, rows, seconds },
    });
  }
  const verifyAll = async () => {
    const found: Verified[] = [];
    for (const list of lists) {
      const verified = await sync.verify(list, { repair: mode !== 'verify' });
      found.push(verified);
      say(inWords(verified), { event: 'verified', ...verified });
    }
    onVerified();
    return found.every(({ equal }) => equal);
  };
  let verified = await verifyAll();
  if (mode !== 'watch') return verified;
  await copy.settle();
  say('Following changes. To stop, press Ctrl+C.', { event: 'following' });
  for (let next = Date.now() + verifyEvery * 60_000; ; ) {
    await sleep(every * 1_000, undefined, { signal }).catch(() => {});
    if (signal?.aborted) return verified;
    for (const list of lists) {
      const rows = await sync.catchUp(list);
      if (rows) say(`${list}: ${count(rows)} rows changed.`, { event: 'changed', list, rows });
    }
    await copy.settle();
    if (Date.now() < next) continue;
    verified = await verifyAll();
    next = Date.now() + verifyEvery * 60_000;
  }
}

function inWords({ list, equal, rows, asOf, readAgain, repaired, removed }: Verified): string {
  const mended = [
    ...(readAgain ? ['read again, since many rows differed'] : []),
    ...(repaired ? [`${count(repaired)} rows repaired`] : []),
    ...(removed ? [`${count(removed)} removed`] : []),
  ];
  const result = equal
    ? `equal to the API: ${count(rows)} rows, as of ${asOf}`
    : `differs from the API: ${count(rows)} rows, as of ${asOf}`;
  return `${list}: ${[...mended, result].join(', ')}.`;
}

const count = (rows: number) => rows.toLocaleString('en');
