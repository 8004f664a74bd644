import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { BareRoute } from '../baselines/bare';
import type { LoadRequest } from '../fixtures/load';
import { Program, typescript } from '../fixtures/program';
import { type Asking, asking, SECRET, spawnApi, withDataSource } from '../fixtures/startline';

/** What every reading path needs: our API, its baselines, and the measured key. */
export interface Readers {
  caller: Asking;
  ours: Program;
  bare: Program;
  naive: Program;
}

const baseline = (file: string) => typescript(join(__dirname, '../baselines', file));

export const startBare = (url: string, routes: Record<string, BareRoute>): Promise<Program> =>
  Program.start('bare', baseline('bare.ts'), { DATABASE_URL: url, BARE_ROUTES: JSON.stringify(routes) }, '/');

export const startNaive = (url: string): Promise<Program> =>
  Program.start('naive', baseline('naive/main.ts'), { DATABASE_URL: url, SECRET }, '/');

/** Starts the candidates, and stops them after the work. */
export async function withReaders<T>(
  url: string,
  routesOf: (caller: Asking, dataSource: DataSource) => Promise<Record<string, BareRoute>>,
  work: (readers: Readers) => Promise<T>,
): Promise<T> {
  const caller = await withDataSource(url, (dataSource) => asking(dataSource));
  const routes = await withDataSource(url, (dataSource) => routesOf(caller, dataSource));
  const programs: Program[] = [];
  try {
    const [ours, bare, naive] = [await spawnApi(url), await startBare(url, routes), await startNaive(url)];
    programs.push(ours, bare, naive);
    return await work({ caller, ours, bare, naive });
  } finally {
    for (const program of programs) await program.stop();
  }
}

const BRACKETS: Record<string, string> = { '[': '%5B', ']': '%5D' };

/** `/v0/participants?page%5Bsize%5D=100`: what HTTP clients send for brackets. */
export const pathOf = (path: string, query: Record<string, string | number> = {}): string => {
  const words = Object.entries(query).map(
    ([name, value]) =>
      `${name.replace(/[[\]]/g, (bracket) => BRACKETS[bracket] as string)}=${encodeURIComponent(value)}`,
  );
  return words.length ? `${path}?${words.join('&')}` : path;
};

export const get = (path: string, caller?: Asking): LoadRequest[] => [{ path, headers: caller?.headers }];

/** @throws Error unless both candidates return the same items, because a baseline must do the same work */
export async function requireSameItems(
  ours: Program,
  path: string,
  bare: Program,
  its: string,
  caller: Asking,
) {
  const [a, b] = await Promise.all([
    fetch(ours.url + path, { headers: caller.headers }).then((answer) => answer.json()),
    fetch(bare.url + its).then((answer) => answer.json()),
  ]);
  const items = (answer: unknown) => (answer as { data?: unknown[] }).data ?? answer;
  const [left, right] = [items(a), items(b)] as [unknown[], unknown[]];
  const same = Array.isArray(left) ? right.slice(0, left.length) : right;
  if (JSON.stringify(left) !== JSON.stringify(same))
    throw new Error(`${path} and its reference answer different things`);
}
