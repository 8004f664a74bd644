import { RateCounter } from './rate-counter';
import type { RateKey, RateStore } from './rate-store';

/** A store in memory, which counts its queries. */
class MemoryStore implements RateStore {
  queries = 0;
  private readonly counts = new Map<string, number>();

  async add({ keyId, operation }: RateKey, uses: number, windowMs: number) {
    this.queries++;
    await new Promise(setImmediate);
    const used = (this.counts.get(`${keyId}/${operation}`) ?? 0) + uses;
    this.counts.set(`${keyId}/${operation}`, used);
    return { used, endsInMs: windowMs };
  }
}

const counter = (store: RateStore, limit: number, credit: number) =>
  new RateCounter(
    store,
    { organizationId: 'organization', keyId: 'key', operation: 'operation' },
    { limit, windowMs: 60_000, credit },
  );
const permitted = async (uses: Promise<{ refused: boolean }>[]) =>
  (await Promise.all(uses)).filter(({ refused }) => !refused).length;

describe('a rate counter without credit', () => {
  it('permits exactly the limit across several processes', async () => {
    const store = new MemoryStore();
    const processes = [counter(store, 60, 0), counter(store, 60, 0), counter(store, 60, 0)];
    expect(
      await permitted(processes.flatMap((process) => Array.from({ length: 50 }, () => process.use()))),
    ).toBe(60);
  });

  it('batches concurrent uses into few queries, and rejects without a query when the window is used up', async () => {
    const store = new MemoryStore();
    const process = counter(store, 10, 0);
    await permitted(Array.from({ length: 1_000 }, () => process.use()));
    expect(store.queries).toBeLessThanOrEqual(2);
    const before = store.queries;
    expect((await process.use()).refused).toBe(true);
    expect(store.queries).toBe(before);
  });

  it('counts a request by its weight', async () => {
    const process = counter(new MemoryStore(), 10, 0);
    expect(await permitted(Array.from({ length: 4 }, () => process.use(5)))).toBe(2);
    expect((await process.use()).refused).toBe(true);
  });

  it('permits what was taken back', async () => {
    const process = counter(new MemoryStore(), 10, 0);
    expect(await permitted([process.use(4), process.use(8), process.use(0)])).toBe(2);
    await process.use(-8);
    expect(await permitted([process.use(0), process.use(8)])).toBe(2);
  });

  it('fails when the store fails', async () => {
    const failing = { add: () => Promise.reject(new Error('unavailable')) };
    await expect(counter(failing, 10, 0).use()).rejects.toThrow('unavailable');
  });
});

describe('a rate counter with credit', () => {
  it('exceeds the limit by at most its credit', async () => {
    const store = new MemoryStore();
    const processes = [counter(store, 1_000, 20), counter(store, 1_000, 20)];
    let uses = 0;
    for (let i = 0; i < 1_500; i++)
      for (const process of processes) if (!(await process.use()).refused) uses++;
    expect(uses).toBeGreaterThanOrEqual(1_000);
    expect(uses).toBeLessThanOrEqual(1_040);
    expect(store.queries).toBeLessThan(300);
  });

  it('counts locally while the store fails', async () => {
    const failing = { add: () => Promise.reject(new Error('unavailable')) };
    const process = counter(failing, 30, 10);
    expect(await permitted(Array.from({ length: 100 }, () => process.use()))).toBe(30);
  });
});
