import { Client } from 'pg';
import { partner } from '#libs/testing';
import { Replica, Watermark } from '#platform/database';
import { eventually, startApi, type TestApi, UNLIMITED } from '../harness';
import { StreamingPair } from './streaming-pair';

/** No lost updates for pollers (docs/interface.md#polling-for-changes), with a replica whose replay is paused repeatedly. */

const WRITERS = 4;
const ROUNDS = 40;
const PARTNERS = WRITERS * 6;

let pair: StreamingPair;
let api: TestApi;
let writers: Client[] = [];
beforeAll(async () => {
  pair = await StreamingPair.start();
  api = await startApi({
    ...UNLIMITED,
    DATABASE_URL: pair.primary.url,
    DATABASE_REPLICA_URL: pair.replica.url,
    // Never too far behind, so that everything depends on the watermark.
    DATABASE_REPLICA_MAX_LAG_MS: '60000',
  });
  writers = Array.from({ length: WRITERS }, () => new Client({ connectionString: pair.primary.url }));
  await Promise.all(writers.map((client) => client.connect()));
  const { organizationId, dataSource } = api;
  for (let i = 0; i < PARTNERS; i++) await partner(dataSource, { organizationId });
});
afterAll(async () => {
  await Promise.all(writers.map((client) => client.end()));
  await api?.close();
  await pair?.remove();
});
afterEach(() => jest.restoreAllMocks());

const INSERT = `INSERT INTO partners (organization_id, id, name) VALUES ($1, uuid_v7(), $2) RETURNING id`;

/** Changes and adds partners in transactions that stay open, so that many transactions overlap. */
async function write(client: Client, writer: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const mark = `writer ${writer}, round ${round}`;
    await client.query('BEGIN');
    await client.query(INSERT, [api.organizationId, mark]);
    await client.query(
      `UPDATE partners SET description = $2 WHERE organization_id = $1 AND id IN (
         SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM partners
           WHERE organization_id = $1) numbered WHERE n % ${WRITERS} = ${writer} ORDER BY random() LIMIT 3)`,
      [api.organizationId, mark],
    );
    await client.query('SELECT pg_sleep(random() * 0.03)');
    await client.query(round % 7 === 3 ? 'ROLLBACK' : 'COMMIT');
  }
}

interface Page {
  data: { id: string; updatedAt: string }[];
  page: { last: string; next: string };
}

async function ask(parameters: Record<string, string>): Promise<Page> {
  const { status, body, text } = await api.get(`/v0/partners?${new URLSearchParams(parameters)}`);
  if (status !== 200) throw new Error(text);
  return body;
}

/** Each continues from its position, returns the items that are new to it, and stores its new position. */
type Poll = (state: { cursor: string; highest: string }) => Promise<Page['data']>;

const PATTERNS: Record<string, Poll> = {
  'by cursor': async (state) => {
    const { data, page } = await ask({
      'sort[updatedAt]': '1',
      'page[size]': '20',
      'page[after]': state.cursor,
    });
    state.cursor = page.last || state.cursor;
    return data;
  },
  'from the highest seen': async ({ highest }) =>
    (await ask({ 'updatedAt[after]': highest, 'page[size]': '20' })).data,
  'from the highest seen, walking by creation': async ({ highest }) => {
    const found: Page['data'] = [];
    for (let cursor = ''; ; ) {
      const { data, page } = await ask({
        'updatedAt[after]': highest,
        'sort[createdAt]': '1',
        'page[size]': '20',
        'page[after]': cursor,
      });
      found.push(...data);
      if (!page.next) return found;
      cursor = page.next;
    }
  },
};

/** The number of items that each pattern does not have in their newest state, after concurrent writes and reads. */
async function missed(): Promise<Record<string, number>> {
  const replica = api.app.get(Replica);
  const reads = jest.spyOn(replica, 'read');
  let settled = false;
  const polling = Object.values(PATTERNS).map(async (poll) => {
    const state = { cursor: '', highest: '2000-01-01T00:00:00Z' };
    const seen = new Map<string, string>();
    for (;;) {
      const last = settled;
      const items = await poll(state);
      for (const { id, updatedAt } of items) {
        seen.set(id, updatedAt);
        if (updatedAt > state.highest) state.highest = updatedAt;
      }
      if (last && items.length === 0) return seen;
    }
  });
  let wrote = false;
  // Pauses the replay repeatedly while pollers read and writers write.
  const stopAndGo = async () => {
    while (!wrote) {
      await pair.pauseReplay();
      const until = reads.mock.calls.length + 10;
      await eventually(async () => reads.mock.calls.length >= until);
      await pair.resumeReplay();
    }
  };
  const stopping = stopAndGo();
  await Promise.all(writers.map(write)).finally(() => {
    wrote = true;
  });
  await stopping;
  const [{ latest }] = await api.dataSource.query(
    `SELECT to_char(max(updated_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS latest FROM partners`,
  );
  await eventually(
    async () =>
      ((await replica.read({ organizationId: api.organizationId }, async (_, watermark) => watermark)) ??
        '') > latest,
  );
  settled = true;
  const seen = await Promise.all(polling);

  const served = await Promise.all(reads.mock.results.map(({ value }) => value));
  expect(served.filter((answer) => answer !== undefined).length).toBeGreaterThan(20);
  const all = await partners();
  expect(all.length).toBeGreaterThan(WRITERS * ROUNDS * 0.8);
  return Object.fromEntries(
    Object.keys(PATTERNS).map((name, i) => [
      name,
      all.filter(({ id, updatedAt }) => seen[i]?.get(id) !== updatedAt).length,
    ]),
  );
}

it('pollers see every change, in every pattern', async () => {
  for (const [name, items] of Object.entries(await missed())) expect([name, items]).toEqual([name, 0]);
});

/**
 * A transaction stamps its partner, a later one commits before it, and the replica pauses between the two commits.
 */
async function seenAroundStop(): Promise<Record<'early' | 'late', boolean>> {
  const [first, second] = writers as [Client, Client];
  await first.query('BEGIN');
  const early = (await first.query(INSERT, [api.organizationId, 'stamped first'])).rows[0].id;
  const late = (await second.query(INSERT, [api.organizationId, 'committed first'])).rows[0].id;
  await eventually(() => isOnReplica(late));
  await pair.pauseReplay();
  await first.query('COMMIT');
  const stamp = (await partners()).find(({ id }) => id === late)?.updatedAt as string;
  await eventually(async () => api.app.get(Watermark).now() > stamp);
  const state = { cursor: '', highest: '2000-01-01T00:00:00Z' };
  const seen = new Set<string>();
  const poll = async () => {
    for (;;) {
      const items = (await PATTERNS['by cursor']?.(state)) ?? [];
      if (items.length === 0) return;
      for (const { id } of items) seen.add(id);
    }
  };
  await poll();
  await pair.resumeReplay();
  await eventually(() => isOnReplica(early));
  await untilReplayed();
  await poll();
  return { early: seen.has(early), late: seen.has(late) };
}

const isOnReplica = async (id: string): Promise<boolean> =>
  (await pair.onReplica(`SELECT 1 FROM partners WHERE id = '${id}'`)).length > 0;

/** In their newest state on the primary. */
const partners = (): Promise<Page['data']> =>
  api.dataSource.query(
    `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt" FROM partners
     WHERE organization_id = $1`,
    [api.organizationId],
  );

/** Until the lists of the replica include the current data. */
async function untilReplayed(): Promise<void> {
  const latest = (await partners())
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .at(-1) as string;
  const replica = api.app.get(Replica);
  await eventually(
    async () =>
      ((await replica.read({ organizationId: api.organizationId }, async (_, watermark) => watermark)) ??
        '') > latest,
  );
}

it('a change that was stamped earlier and replayed later is seen', async () => {
  expect(await seenAroundStop()).toEqual({ early: true, late: true });
});

it('it is missed with the watermark of the primary, so that the tests above can fail', async () => {
  const watermark = api.app.get(Watermark);
  jest.spyOn(watermark, 'replayed').mockImplementation(() => watermark.now());
  // Repeated if the primary had to serve a list, which a busy machine may cause.
  await eventually(async () => !(await seenAroundStop()).early);
});
