import { Random } from './random';

/** A fault that begins at a time after the start, and is healed after another. */
export interface Planned {
  fault: string;
  atMs: number;
  forMs: number;
  /** Which process, if the fault concerns one of several. */
  which: number;
}

const PAUSE_MS = [300, 1_300] as const;
const LASTS_MS = [300, 2_500] as const;

/**
 * The faults of a run, which follow from the seed. Each kind comes once before any comes again. Faults overlap, but a
 * kind is healed before it comes again.
 */
export function schedule(seed: number, minutes: number, faults: readonly string[]): Planned[] {
  const random = new Random(seed);
  const planned: Planned[] = [];
  const healedAt = new Map<string, number>();
  let deck: string[] = [];
  for (let atMs = random.between(...PAUSE_MS); atMs < minutes * 60_000; atMs += random.between(...PAUSE_MS)) {
    if (deck.length === 0) deck = random.shuffled(faults);
    const fault = deck.shift() as string;
    const [forMs, which] = [random.between(...LASTS_MS), random.between(0, 1)];
    if ((healedAt.get(fault) ?? 0) > atMs) continue;
    healedAt.set(fault, atMs + forMs);
    planned.push({ fault, atMs, forMs, which });
  }
  return planned;
}
