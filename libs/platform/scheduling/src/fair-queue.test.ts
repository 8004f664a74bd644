import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { FairQueue, ShareExceeded } from './fair-queue';

/** Work that runs until it is told to end, and a list of started work. */
function stage(queue: FairQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const results: Promise<unknown>[] = [];
  return {
    begun,
    add(owner: string, name: string) {
      const result = queue.run(owner, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
      result.catch(() => {});
      results.push(result);
      return result;
    },
    async end(name: string) {
      ends.get(name)?.();
      await turnOfLoop();
    },
    /** Ends all work in the order in which it starts. */
    async drain() {
      for (let i = 0; i < begun.length; i++) await this.end(begun[i] as string);
      return Promise.allSettled(results);
    },
  };
}

const many = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('FairQueue', () => {
  it.each([1, 2, 3, 7, 18, 50])(
    'with %i slots keeps one slot for an owner that holds none, if there are at least two',
    async (slots) => {
      const work = stage(new FairQueue({ slots, waitMs: 60_000 }));
      for (const i of many(slots * 3)) work.add('loud', `loud ${i}`);
      expect(work.begun.length).toBe(slots === 1 ? 1 : work.begun.length);
      expect(work.begun.length).toBeLessThanOrEqual(Math.max(1, slots - 1));
      work.add('quiet', 'quiet');
      expect(work.begun.includes('quiet')).toBe(slots > 1);
      await work.drain();
    },
  );

  it('admits an owner at once while ten owners that arrived one by one hold all they may hold', async () => {
    const work = stage(new FairQueue({ slots: 18, waitMs: 60_000 }));
    for (const owner of many(10)) for (const i of many(50)) work.add(`loud ${owner}`, `loud ${owner} ${i}`);
    work.add('quiet', 'quiet');
    expect(work.begun.at(-1)).toBe('quiet');
    await work.drain();
  });

  it('admits an owner at once while ten owners have more work than they may run', async () => {
    const work = stage(new FairQueue({ slots: 18, waitMs: 60_000 }));
    for (const i of many(1_000)) work.add(`loud ${i % 10}`, `loud ${i}`);
    expect(work.begun).toHaveLength(10);
    work.add('quiet', 'quiet');
    expect(work.begun.at(-1)).toBe('quiet');
    await work.drain();
    expect(work.begun).toHaveLength(1_001);
  });

  it('gives a free slot to the owner that used the least, not to the one that waits longest', async () => {
    const work = stage(new FairQueue({ slots: 1, waitMs: 60_000 }));
    for (const i of many(5)) for (const owner of ['a', 'b', 'c']) work.add(owner, `${owner}${i}`);
    await work.end('a0');
    work.add('quiet', 'quiet');
    // Two owners have used nothing yet, like the newcomer; "a" has, and has four more waiting.
    for (const name of ['b0', 'c0', 'quiet']) {
      expect(work.begun.at(-1)).toBe(name);
      await work.end(name);
    }
    await work.drain();
    expect(work.begun).toHaveLength(16);
  });

  it('rejects work of an owner that has too much waiting, and of no other owner', async () => {
    const work = stage(new FairQueue({ slots: 1, waitMs: 60_000, mostWaiting: 2 }));
    for (const name of ['running', 'first', 'second']) work.add('loud', name);
    await expect(work.add('loud', 'third')).rejects.toThrow(ShareExceeded);
    const other = work.add('quiet', 'quiet');
    await work.drain();
    await expect(other).resolves.toBeUndefined();
    expect(work.begun).not.toContain('third');
  });

  it('rejects work that waits too long without starting it, and continues', async () => {
    const work = stage(new FairQueue({ slots: 1, waitMs: 1 }));
    work.add('loud', 'running');
    await expect(work.add('loud', 'late')).rejects.toThrow(ShareExceeded);
    await work.end('running');
    work.add('loud', 'after');
    expect(work.begun).toEqual(['running', 'after']);
    await work.drain();
  });

  it('releases the slot of work that fails', async () => {
    const queue = new FairQueue({ slots: 1, waitMs: 1 });
    await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(queue.run('b', async () => 'done')).resolves.toBe('done');
  });
});
