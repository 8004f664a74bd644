import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../test/chaos/random';
import { Databases } from '../fixtures/database';
import { withDataSource } from '../fixtures/startline';
import { during, type SteadyJob, type SteadySeen } from '../fixtures/steady';
import { FAMILIES } from './attacks';
import { compareLengths, isProportional, type Length } from './lengths';
import { Sender } from './sender';
import { startTarget, type Target } from './target';

/** Above these, a run fails. They are wider than the goals, because the machine has other work. */
export const LIMITS = { longestBlockMs: 1_000, memoryMb: 700 };
const ATTACK_MS = 3_000;
const IDLE_MS = 3_000;
const EVERY_MS = 20;
const LOOK_MS = 200;
/** The least important priority. */
const NICE = 19;

/** One attack, and what others saw meanwhile. */
export interface Row {
  family: string;
  what: string;
  requests: number;
  statuses: Record<string, number>;
  longestBlockMs: number;
  memoryMb: number;
  others: SteadySeen;
}

export interface Report {
  seed: number;
  minutes: number;
  idle: SteadySeen;
  rows: Row[];
  lengths: Length[];
  /** What exceeded a limit, as sentences. */
  exceeded: string[];
}

interface Options {
  seed: number;
  minutes: number;
  /** Only families with this text in their name. */
  only?: string;
  say: (line: string) => void;
}

/** Attacks one after another, every family once before any comes again, as they follow from the seed. */
export async function run({ seed, minutes, only = '', say }: Options): Promise<Report> {
  const databases = await Databases.start();
  const url = await databases.empty('attack');
  return withDataSource(url, async (dataSource) => {
    const target = await startTarget(databases, dataSource, url);
    // As if the attacker had a machine of its own: the programs of the product come first.
    setPriority(0, NICE);
    try {
      const random = new Random(seed);
      const families = Object.keys(FAMILIES).filter((name) => name.includes(only));
      if (families.length === 0) throw new Error(`no family of attacks has ${only} in its name`);
      const job = steadyJob(target);
      await longestBlockMs(target);
      const idle = await during(job, () => sleep(IDLE_MS));
      const rows: Row[] = [];
      const lengths: Length[] = [];
      const end = Date.now() + minutes * 60_000;
      let deck: string[] = [];
      while (Date.now() < end) {
        if (deck.length === 0) deck = random.shuffled(families);
        lengths.push(await compareLengths(target, random));
        const row = await attacked(target, job, deck.shift() as string, random);
        rows.push(row);
        say(`${row.family}: ${row.what}: ${row.longestBlockMs.toFixed(0)} ms, ${row.memoryMb.toFixed(0)} MB`);
        if (!target.api.isAlive) break;
      }
      return { seed, minutes, idle, rows, lengths, exceeded: exceededBy(rows, lengths, target) };
    } finally {
      await target.stop();
    }
  });
}

async function attacked(target: Target, job: SteadyJob, family: string, random: Random): Promise<Row> {
  const attack = FAMILIES[family]?.(target, random);
  if (!attack) throw new Error(`no family ${family}`);
  const sender = new Sender(target.api.url);
  const stop = new AbortController();
  let memoryMb = 0;
  const look = setInterval(() => {
    memoryMb = Math.max(memoryMb, target.api.residentMb());
  }, LOOK_MS);
  let longest = 0;
  try {
    await longestBlockMs(target);
    const others = await during(job, async () => {
      const attacking = attack.run(sender, stop.signal);
      await sleep(ATTACK_MS);
      stop.abort();
      await attacking;
    });
    longest = await longestBlockMs(target);
    const { requests, statuses } = sender;
    return { family, what: attack.what, requests, statuses, longestBlockMs: longest, memoryMb, others };
  } finally {
    clearInterval(look);
    sender.end();
  }
}

/** Single reads and small writes of the quiet organization. */
const steadyJob = ({ api, quiet: { headers, participantIds } }: Target): SteadyJob => ({
  url: api.url,
  everyMs: EVERY_MS,
  mayFail: true,
  requests: participantIds.map((id) => ({ path: `/v0/participants/${id}`, headers })),
});

/** The longest delay of the API's event loop since the last call. */
async function longestBlockMs({ metrics, api }: Target): Promise<number> {
  if (!api.isAlive) return Number.POSITIVE_INFINITY;
  const answer = await fetch(metrics, { headers: { connection: 'close' } });
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(await answer.text()) ?? [];
  return Number(seconds) * 1_000;
}

/** Responses that a hostile request may get: anything but an error of ours. */
const isFault = (status: string) => status.startsWith('5') && status !== '503';

function exceededBy(rows: Row[], lengths: Length[], { api, worker }: Target): string[] {
  const sentences = rows.flatMap(({ family, what, statuses, longestBlockMs, memoryMb, others }) => {
    const of = `${family}: ${what}`;
    return [
      ...(longestBlockMs > LIMITS.longestBlockMs
        ? [`${of}: the event loop stood still for ${longestBlockMs.toFixed(0)} ms`]
        : []),
      ...(memoryMb > LIMITS.memoryMb ? [`${of}: the API took ${memoryMb.toFixed(0)} MB`] : []),
      ...(others.errors > 0 ? [`${of}: ${others.errors} requests of others failed`] : []),
      ...Object.keys(statuses)
        .filter(isFault)
        .map((status) => `${of}: ${statuses[status]} times ${status}`),
    ];
  });
  for (const length of lengths)
    if (!isProportional(length))
      sentences.push(
        `${length.what}: ${length.shortMs.toFixed(1)} and ${length.longMs.toFixed(1)} ms of CPU`,
      );
  if (!api.isAlive) sentences.push('the API ended');
  if (!worker.isAlive) sentences.push('the worker ended');
  return sentences;
}
