import type { EntityManager } from 'typeorm';
import type { Transactions } from './transactions';

/** A step that takes longer is followed by a smaller one. Far below the limit of a statement: rows differ in size. */
const STEP_MS = 2_000;
const [FEWEST, MOST] = [100, 20_000];

/** The rows of a table that a step has read, in the order of the key. */
export interface Step<Found> {
  read: number;
  /** The key of the last one. */
  last: string[] | null;
  found: Found[];
}

/**
 * Searches all rows of a table in steps, each a statement of its own: one statement over 10 GB of texts would exceed any limit.
 *
 * @param step reads up to `most` rows after the key
 */
export async function searched<Found>(
  database: Transactions,
  step: (manager: EntityManager, after: string[] | undefined, most: number) => Promise<Step<Found>>,
): Promise<Found[]> {
  const all: Found[] = [];
  let after: string[] | undefined;
  for (let most = 1_000; ; ) {
    const began = performance.now();
    const { read, last, found } = await database.transaction((manager) => step(manager, after, most));
    const took = performance.now() - began;
    for (const each of found) all.push(each);
    await database.searched?.(read);
    if (read < most || !last) return all;
    after = last;
    most = Math.min(MOST, Math.max(FEWEST, took < STEP_MS ? 2 * most : Math.floor(most / 2)));
  }
}
