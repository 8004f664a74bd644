import { Replica } from '#platform/database';
import { type Answer, eventually, pace, startApi, type TestApi, UNLIMITED } from '../harness';
import { broken, type History } from './history';
import { StreamingPair } from './streaming-pair';

/**
 * The promises of docs/decisions/lists-and-watermark.md, checked on recorded histories of writes and reads of several clients
 * and two APIs, while the replica is paused, delayed, frozen, killed and restarted.
 */

const WRITERS = 4;
const MAX_LAG_MS = '2000';
const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];

let pair: StreamingPair;
let apis: [TestApi, TestApi];
beforeAll(async () => {
  pair = await StreamingPair.start();
  const environment = {
    ...UNLIMITED,
    DATABASE_URL: pair.primary.url,
    DATABASE_REPLICA_URL: pair.replica.url,
    DATABASE_REPLICA_MAX_LAG_MS: MAX_LAG_MS,
  };
  apis = [await startApi(environment), await startApi(environment)];
});
afterAll(async () => {
  for (const api of apis ?? []) await api.close();
  await pair?.remove();
});

/** All requests use the first API's organization. */
const get = (path: string, api: TestApi): Promise<Answer<any>> => api.get(path, apis[0].token);
const any = (): TestApi => apis[Math.random() < 0.5 ? 0 : 1];

const history: History = { writes: [], reads: [], unseenOwnWrites: 0, failed: [] };
let ending = false;

const ok = (answer: Answer): boolean => {
  if (answer.status !== 200) history.failed.push(answer.text);
  return answer.status === 200;
};

/** Creates partners, and reads each at once by id and in order of creation. */
async function write(): Promise<void> {
  while (!ending) {
    const started = performance.now();
    const answer = await any().send(
      'POST',
      '/v0/partners',
      { name: 'Harbour Hospice', contacts },
      apis[0].token,
    );
    if (ok(answer)) {
      const { id } = answer.body;
      const [one, newest] = await Promise.all([
        get(`/v0/partners/${id}`, any()),
        get('/v0/partners?sort%5BcreatedAt%5D=-1&page%5Bsize%5D=100', any()),
      ]);
      if (ok(one) && ok(newest)) {
        const { updatedAt } = one.body;
        history.writes.push({ id, updatedAt, started, ended: performance.now() });
        if (!newest.body.data.some((item: { id: string }) => item.id === id)) history.unseenOwnWrites += 1;
      }
    }
    await pace(5);
  }
}

/** Each poller asks any API for the page after its position. */
async function poll(path: (highest: string) => string, follows: boolean): Promise<void> {
  let highest = '2000-01-01T00:00:00Z';
  while (!ending) {
    const after = highest;
    const started = performance.now();
    const items: { id: string; updatedAt: string }[] = [];
    let next: string | undefined = '';
    while (next !== undefined) {
      const answer = await get(path(after) + (next && `&page%5Bafter%5D=${encodeURIComponent(next)}`), any());
      if (!ok(answer)) return;
      items.push(...answer.body.data);
      next = follows && answer.body.page.next ? answer.body.page.next : undefined;
    }
    history.reads.push({
      after,
      items,
      started,
      ended: performance.now(),
    });
    for (const { updatedAt } of items) if (updatedAt > highest) highest = updatedAt;
    await pace(5);
  }
}

const query = (parameters: Record<string, string>) => `/v0/partners?${new URLSearchParams(parameters)}`;
const byChange = (highest: string) =>
  query({ 'updatedAt[after]': highest, 'sort[updatedAt]': '1', 'page[size]': '500' });
const byCreation = (highest: string) =>
  query({ 'updatedAt[after]': highest, 'sort[createdAt]': '1', 'page[size]': '7' });

/** What happens to the replica. Each lasts until the clients have read and written a number of times more. */
const ATTACKS: Record<string, () => Promise<() => Promise<void> | void>> = {
  paused: async () => {
    await pair.pauseReplay();
    return () => pair.resumeReplay();
  },
  frozen: async () => pair.replica.freeze(),
  killed: async () => {
    pair.replica.kill();
    return () => pair.replica.start();
  },
};

async function more(reads = 40, writes = 20): Promise<void> {
  const before = [history.reads.length, history.writes.length] as const;
  await eventually(
    async () => history.reads.length >= before[0] + reads && history.writes.length >= before[1] + writes,
  );
}

it('every response keeps the promises, whatever happens to the replica', async () => {
  const served = jest.spyOn(Replica.prototype, 'read');
  const clients = [
    ...Array.from({ length: WRITERS }, () => write()),
    poll(byChange, false),
    poll(byChange, false),
    poll(byCreation, true),
  ];
  try {
    for (let round = 0; round < 2; round++) {
      for (const attack of Object.values(ATTACKS)) {
        await more();
        const heal = await attack();
        await more();
        await heal();
      }
    }
    await more();
  } finally {
    ending = true;
    await Promise.all(clients);
  }
  const answers = await Promise.all(served.mock.results.map(({ value }) => value));
  served.mockRestore();
  expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(20);
  expect(history.failed).toEqual([]);
  expect(broken(history)).toEqual({ skipped: 0, unwritten: 0, early: 0, unseenOwnWrites: 0 });
});
