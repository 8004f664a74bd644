import { inRounds } from './in-rounds';

/** Owners with units of work, which `inRounds` does; `appears` adds work before a round. */
async function order(work: Record<string, number>, appears: Record<number, Record<string, number>> = {}) {
  const left = new Map(Object.entries(work));
  const done: string[] = [];
  let round = 0;
  await inRounds(
    async () => {
      for (const [owner, units] of Object.entries(appears[round++] ?? {})) left.set(owner, units);
      return [...left.keys()];
    },
    async (owner) => {
      done.push(owner);
      const units = (left.get(owner) as number) - 1;
      if (units > 0) left.set(owner, units);
      else left.delete(owner);
      return units > 0;
    },
    () => false,
  );
  return done.join(' ');
}

it('does one unit of each owner in a round', async () => {
  expect(await order({ noisy: 4, quiet: 1, other: 2 })).toBe('noisy quiet other noisy other noisy noisy');
});

it('includes owners whose work appears meanwhile', async () => {
  expect(await order({ noisy: 4 }, { 2: { quiet: 1 } })).toBe('noisy noisy noisy quiet noisy');
});

it('ends when no owner has more, although some still have work that others do', async () => {
  let asked = 0;
  await inRounds(
    async () => {
      asked += 1;
      return ['locked by another process'];
    },
    async () => false,
    () => false,
  );
  expect(asked).toBe(1);
});

it('begins no further unit when it is stopped', async () => {
  const done: string[] = [];
  await inRounds(
    async () => ['a', 'b'],
    async (owner) => done.push(owner) > 0,
    () => done.length === 3,
  );
  expect(done.join(' ')).toBe('a b a');
});
