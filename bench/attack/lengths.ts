import { HOSTILE_SHAPES, HOSTILE_TEXTS, withJsonAt } from '#libs/testing';
import type { Random } from '../../test/chaos/random';
import { one, placed } from './requests';
import { Sender } from './sender';
import type { Target } from './target';

/** What ten times the length may cost, as a factor. */
export const MOST = 12;
const TIMES = 10;
/** Below and above the length from which the checking thread checks a body. */
const LENGTHS = [6_000, 100_000];
const REPEATS = 8;
/** Garbage collection and compilation only add, so the least of several counts. */
const MEASUREMENTS = 4;
/** CPU of a request that is independent of its length. */
export const OVERHEAD_MS = 1;

/** The CPU of a request, and of one with ten times the length. */
export interface Length {
  what: string;
  shortMs: number;
  longMs: number;
}

/** Compares the cost of one hostile value at two lengths, in all threads of the API. */
export async function compareLengths(target: Target, random: Random): Promise<Length> {
  const { of, example, place, request } = placed(target, random);
  const bytes = one(LENGTHS, random);
  const texts = Object.entries(HOSTILE_TEXTS).map(
    ([name, text]) => [name, (length: number) => JSON.stringify(text(length))] as const,
  );
  const [name, json] = one([...texts, ...Object.entries(HOSTILE_SHAPES)], random);
  const sender = new Sender(target.unlimited.url);
  const cost = async (length: number) => {
    const body = withJsonAt(example, place, json(length));
    const before = target.unlimited.cpuMs();
    for (let n = 0; n < REPEATS; n++) await sender.send(request(body));
    return (target.unlimited.cpuMs() - before) / REPEATS;
  };
  const what = `${of.name}, ${name} of ${bytes} and ${bytes * TIMES} at ${place.join('.')}`;
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  try {
    for (let n = 0; n < MEASUREMENTS; n++) {
      shortMs = Math.min(shortMs, await cost(bytes));
      longMs = Math.min(longMs, await cost(bytes * TIMES));
      if (isProportional({ what, shortMs, longMs })) break;
    }
    return { what, shortMs, longMs };
  } finally {
    sender.end();
  }
}

export const isProportional = ({ shortMs, longMs }: Length): boolean =>
  longMs <= Math.max(shortMs, OVERHEAD_MS) * MOST;
