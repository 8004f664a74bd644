import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { storedBytes } from '#libs/testing';
import { Random } from '../../test/chaos/random';
import { Databases } from '../fixtures/database';
import { withDataSource } from '../fixtures/startline';
import { during, type SteadyJob, type SteadySeen } from '../fixtures/steady';
import { FAMILIES } from './attacks';
import { compareLengths, isProportional, type Length } from './lengths';
import { QuietWork, type Waits } from './quiet-work';
import { Sender } from './sender';
import { startTarget, type Target } from './target';

/**
 * Above these, a run fails. None is a matter of a busy machine: a block counts with the time that the thread ran, if the attack
 * repeats it or it is very long, and what others wait for is only printed. What happens once in a process, such as the compilation of
 * a schema, is no attack.
 */
export const LIMITS = { oftenCpuMs: 50, blockCpuMs: 250, memoryMb: 700, heapGrowthMb: 20, backends: 0 };
const ATTACK_MS = 3_000;
const IDLE_MS = 3_000;
const EVERY_MS = 20;
const LOOK_MS = 200;
/** How long statements of an attack may go on after its connections were closed. */
const LEFT_MS = 20_000;
/** The least important priority. */
const NICE = 19;

/** One attack, and what others saw meanwhile. */
export interface Row {
  family: string;
  what: string;
  requests: number;
  statuses: Record<string, number>;
  /** The longest blocks of the API's event loop. */
  block: Stillness;
  memoryMb: number;
  /** By which the heap of the API is larger afterwards, after a collection. */
  heapGrowthMb: number;
  /** Backends of the API that still work on the attack. */
  backends: number;
  /** By which the tables and indexes are larger, for each accepted byte; 0 if none was accepted. */
  storedPerByte: number;
  workerMemoryMb: number;
  others: SteadySeen;
  /** What work of the quiet organization waited for in the worker. */
  waits: Waits;
}

export interface Report {
  seed: number;
  minutes: number;
  idle: Pick<Row, 'others' | 'waits'>;
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
      const quiet = new QuietWork(target);
      const idle = await measured(target, job, quiet, () => sleep(IDLE_MS));
      const rows: Row[] = [];
      const lengths: Length[] = [];
      const end = Date.now() + minutes * 60_000;
      let deck: string[] = [];
      while (Date.now() < end) {
        if (deck.length === 0) deck = random.shuffled(families);
        lengths.push(await compareLengths(target, random));
        const row = await attacked(target, job, quiet, deck.shift() as string, random);
        rows.push(row);
        say(`${row.family}: ${row.what}: ${told(row.block)}, ${row.memoryMb.toFixed(0)} MB`);
        if (!target.api.isAlive) break;
      }
      return { seed, minutes, idle, rows, lengths, exceeded: exceededBy(rows, lengths, target) };
    } finally {
      await target.stop();
    }
  });
}

async function attacked(
  target: Target,
  job: SteadyJob,
  quiet: QuietWork,
  family: string,
  random: Random,
): Promise<Row> {
  const attack = FAMILIES[family]?.(target, random);
  if (!attack) throw new Error(`no family ${family}`);
  const sender = new Sender(target.api.url);
  const stop = new AbortController();
  try {
    await attack.prepare?.();
    const { heapMb } = await target.stillness();
    const before = await storedBytes(target.dataSource);
    const seen = await measured(target, job, quiet, async () => {
      const attacking = attack.run(sender, stop.signal);
      await sleep(ATTACK_MS);
      stop.abort();
      await attacking;
    });
    const { requests, statuses, accepted } = sender;
    sender.end();
    const backends = await backendsLeft(target);
    const heapGrowthMb = (await target.stillness()).heapMb - heapMb;
    const stored = (await storedBytes(target.dataSource)) - before;
    const storedPerByte = accepted > 0 ? stored / accepted : 0;
    return { family, what: attack.what, requests, statuses, ...seen, heapGrowthMb, backends, storedPerByte };
  } finally {
    sender.end();
  }
}

/** Backends with a statement of the API that began before now, when they had time to end. */
async function backendsLeft({ dataSource }: Target): Promise<number> {
  const [{ now }] = await dataSource.query('SELECT clock_timestamp() AS now');
  for (const end = Date.now() + LEFT_MS; ; ) {
    const [{ backends }] = await dataSource.query(
      `SELECT count(*)::int AS backends FROM pg_stat_activity
       WHERE application_name = 'startline api' AND state <> 'idle' AND query_start < $1`,
      [now],
    );
    if (backends === 0 || Date.now() > end) return backends;
    await sleep(LOOK_MS);
  }
}

/** What the API and the worker need, and what others wait for, during the work. */
async function measured(target: Target, job: SteadyJob, quiet: QuietWork, work: () => Promise<unknown>) {
  const { api, worker } = target;
  let [memoryMb, workerMemoryMb] = [0, 0];
  const look = setInterval(() => {
    memoryMb = Math.max(memoryMb, api.residentMb());
    workerMemoryMb = Math.max(workerMemoryMb, worker.residentMb());
  }, LOOK_MS);
  try {
    await target.stillness();
    quiet.begin();
    const others = await during(job, work);
    const block = await target.stillness();
    const { refused, ...waits } = await quiet.end();
    return {
      block,
      memoryMb,
      workerMemoryMb,
      others: { ...others, errors: others.errors + refused },
      waits,
    };
  } finally {
    clearInterval(look);
  }
}

/** Single reads and small writes of the quiet organization. */
const steadyJob = ({ api, quiet: { day } }: Target): SteadyJob => ({
  url: api.url,
  everyMs: EVERY_MS,
  mayFail: true,
  requests: day.participantIds.map((id) => ({
    path: `/v0/participants/${id}`,
    headers: day.organizer.headers,
  })),
});

/** The longest blocks of an event loop: the time that passed, and the time that the thread ran. */
export interface Stillness {
  wallMs: number;
  cpuMs: number;
  /** The CPU time of the third longest block. */
  oftenCpuMs: number;
  /** The heap now, after a collection. */
  heapMb: number;
}

export const told = ({ wallMs, cpuMs, oftenCpuMs }: Omit<Stillness, 'heapMb'>): string =>
  `${wallMs.toFixed(0)} ms (CPU ${cpuMs.toFixed(0)}, often ${oftenCpuMs.toFixed(0)} ms)`;

/** Responses that a hostile request may get: anything but an error of ours. */
const isFault = (status: string) => status.startsWith('5') && status !== '503';

function exceededBy(rows: Row[], lengths: Length[], { api, worker }: Target): string[] {
  const sentences = rows.flatMap(({ family, what, statuses, block, memoryMb, others, waits, ...row }) => {
    const of = `${family}: ${what}`;
    return [
      ...(block.cpuMs > LIMITS.blockCpuMs || block.oftenCpuMs > LIMITS.oftenCpuMs
        ? [`${of}: the event loop stood still for ${told(block)}`]
        : []),
      ...(memoryMb > LIMITS.memoryMb ? [`${of}: the API took ${memoryMb.toFixed(0)} MB`] : []),
      ...(row.heapGrowthMb > LIMITS.heapGrowthMb
        ? [`${of}: the heap of the API grew by ${row.heapGrowthMb.toFixed(0)} MB`]
        : []),
      ...(row.backends > LIMITS.backends ? [`${of}: ${row.backends} backends still worked on it`] : []),
      ...(others.errors > 0 ? [`${of}: ${others.errors} requests of others failed`] : []),
      ...(Number.isFinite(waits.importMs) ? [] : [`${of}: work of others did not finish`]),
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
