import { setTimeout as sleep } from 'node:timers/promises';
import { type Load, type LoadRequest, load, type Tool } from './load';
import { cpuMsOfTree, type Program } from './processes';
import { say } from './say';

export interface Side {
  name: string;
  program: Program;
  requests: LoadRequest[] | (() => Promise<LoadRequest[]>);
  /** So slow that a round needs so many times the time. */
  patience?: number;
}

/** One round of one side, or the medians of several. */
export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU for each request: of the program, and of PostgreSQL. */
  nodeMs: number;
  databaseMs: number;
  kb: number;
}

export interface SideResult {
  name: string;
  rounds: Measured[];
  median: Measured;
}

export interface Options {
  /** Start list entries in the database, a fifth of them of the organization that asks. */
  entries: number;
  /** The largest size that `scale` makes. */
  largest: number;
  tool: Tool;
  seconds: number;
  rounds: number;
  /** PostgreSQL's own process. */
  postmaster: number;
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

const MEASURES = ['perSecond', 'p50', 'p99', 'nodeMs', 'databaseMs', 'kb'] as const;

/** The sides in turns, round after round, so that what else the machine does meets all of them. */
export async function compare(sides: Side[], options: Options): Promise<SideResult[]> {
  for (const side of sides) await measure(side, { ...options, seconds: 2 * options.seconds });
  const rounds = new Map<Side, Measured[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < options.rounds; round++) {
    for (const side of sides) rounds.get(side)?.push(await measure(side, options));
  }
  return [...rounds].map(([{ name }, measured]) => ({
    name,
    rounds: measured,
    median: Object.fromEntries(
      MEASURES.map((measure) => [measure, median(measured.map((one) => one[measure]))]),
    ) as unknown as Measured,
  }));
}

/** A side that answers nothing in its time gets more: a rate needs an answer. */
const MOST_SECONDS = 120;

const LONGEST_REST_MS = 60_000;
const LOOK_MS = 250;

/** PostgreSQL goes on with statements whose client is gone: the next side must not pay for them. */
async function atRest(postmaster: number): Promise<void> {
  const end = Date.now() + LONGEST_REST_MS;
  let before = cpuMsOfTree(postmaster);
  while (Date.now() < end) {
    await sleep(LOOK_MS);
    const now = cpuMsOfTree(postmaster);
    if (now - before < LOOK_MS / 10) return;
    before = now;
  }
}

async function measure(side: Side, options: Options): Promise<Measured> {
  const { name, program, requests, patience = 1 } = side;
  await atRest(options.postmaster);
  const asked = typeof requests === 'function' ? await requests() : requests;
  const database = cpuMsOfTree(options.postmaster);
  const node = program.cpuMs();
  const seen: Load = await load(options.tool, {
    url: program.url,
    requests: asked,
    seconds: options.seconds * patience,
  });
  if (seen.errors + seen.requests === 0 && options.seconds * patience < MOST_SECONDS)
    return measure({ ...side, patience: patience * 3 }, options);
  if (seen.errors > 0 || seen.requests === 0) {
    const [first] = asked;
    const answer = await fetch(program.url + first?.path, {
      method: first?.method,
      headers: first?.headers,
      body: first?.body,
    });
    throw new Error(
      `${name}: ${seen.errors} errors of ${seen.requests}; it answers ${answer.status} ${(await answer.text()).slice(0, 300)}`,
    );
  }
  return {
    perSecond: seen.requests / seen.seconds,
    p50: seen.p50,
    p99: seen.p99,
    nodeMs: (program.cpuMs() - node) / seen.requests,
    databaseMs: (cpuMsOfTree(options.postmaster) - database) / seen.requests,
    kb: seen.bytes / seen.requests / 1024,
  };
}

/** How many times as many requests a second, from the rounds' own ratios: neighbours in time saw the same machine. */
export function ratio(results: SideResult[], ours: string, reference: string): number {
  const of = (name: string) => results.find((result) => result.name === name)?.rounds ?? [];
  const references = of(reference);
  return median(of(ours).map((round, i) => round.perSecond / (references[i]?.perSecond ?? Number.NaN)));
}

/** The progress of long runs. */
export const announce = (title: string): void => say(`measuring ${title}`);
