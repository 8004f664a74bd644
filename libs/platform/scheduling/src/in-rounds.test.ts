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

it('gives no further unit to an owner whose unit fails, and throws after the work of the others', async () => {
  const left: Record<string, number> = { away: 2, quiet: 1, other: 2 };
  const done: string[] = [];
  const working = inRounds(
    async () => Object.keys(left).map((id) => ({ id })),
    async ({ id }) => {
      done.push(id);
      if (id === 'away') throw new Error('no connection');
      left[id] = Math.max(0, (left[id] ?? 0) - 1);
      return left[id] > 0;
    },
    () => false,
    ({ id }) => id,
  );
  await expect(working).rejects.toThrow('no connection');
  expect(done.join(' ')).toBe('away quiet other quiet other');
});
