import { event, partner } from '#libs/testing';
import { Replica, Watermark } from '#platform/database';
import { Load } from '../faults/load';
import { eventually, startApi, type TestApi, UNLIMITED } from '../harness';
import { StreamingPair } from './streaming-pair';

const BY_CHANGE = '/v0/partners?sort%5BupdatedAt%5D=1&page%5Bsize%5D=500';
/** Longer than any of these tests. */
const PATIENT = '60000';

let pair: StreamingPair;
let api: TestApi;
beforeAll(async () => {
  pair = await StreamingPair.start();
});
afterAll(async () => pair?.remove());
afterEach(async () => {
  await pair.resumeReplay();
  await api?.close();
});

const start = (maxLagMs: string): Promise<TestApi> =>
  startApi({
    ...UNLIMITED,
    DATABASE_URL: pair.primary.url,
    DATABASE_REPLICA_URL: pair.replica.url,
    DATABASE_REPLICA_MAX_LAG_MS: maxLagMs,
  });

const served = async (): Promise<number> => {
  const { text } = await api.get('/metrics', null);
  return Number(/^startline_replica_serving (\d)$/m.exec(text)?.[1]);
};

/** Whether the replica serves a list that is requested now. */
const isServing = async (): Promise<boolean> =>
  (await api.get(BY_CHANGE)).status === 200 && (await served()) === 1;

const shown = async (path: string, of = api, token = api.token): Promise<Set<string>> => {
  const { status, body } = await of.get(path, token);
  expect(status).toBe(200);
  return new Set(body.data.map(({ id }: { id: string }) => id));
};

const createPartner = async (): Promise<string> => {
  const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
  const { status, body } = await api.send('POST', '/v0/partners', { name: 'Harbour Hospice', contacts });
  expect(status).toBe(200);
  return body.id;
};

/** The primary's list by `updatedAt`, from an API without a replica. */
async function onPrimary<T>(ask: (primaryOnly: TestApi) => Promise<T>): Promise<T> {
  const primaryOnly = await startApi({ ...UNLIMITED, DATABASE_URL: pair.primary.url });
  try {
    return await ask(primaryOnly);
  } finally {
    await primaryOnly.close();
  }
}

it('lists by `updatedAt` and their totals are read from the replica, and everything else from the primary', async () => {
  api = await start(PATIENT);
  const earlier = await createPartner();
  await eventually(async () => (await shown(BY_CHANGE)).has(earlier));
  await eventually(isServing);
  await pair.pauseReplay();
  const id = await createPartner();
  const { organizationId, dataSource } = api;
  const { id: eventId } = await event(dataSource, { organizationId });
  const one = await api.get(`/v0/partners/${id}`);
  expect(one.body.id).toBe(id);
  // From here on the primary would return it.
  await eventually(async () => api.app.get(Watermark).now() > one.body.updatedAt);

  await eventually(async () => (await shown(BY_CHANGE)).size === 1);
  const { body } = await api.get(BY_CHANGE);
  expect(body.data.map((each: { id: string }) => each.id)).toEqual([earlier]);
  expect(body.page.totalResults).toBe(1);
  const fresh = await api.get('/v0/partners');
  expect(fresh.body.data.map((each: { id: string }) => each.id)).toEqual([earlier, id]);
  expect(fresh.body.page.totalResults).toBe(2);
  // Empty on the replica, which does not have the event yet: that is no reason for a 404.
  const applications = await api.get(`/v0/events/${eventId}/applications?sort%5BupdatedAt%5D=1`);
  expect([applications.status, applications.body.data]).toEqual([200, []]);

  await pair.resumeReplay();
  await eventually(async () => (await shown(BY_CHANGE)).has(id));
  await eventually(isServing);
});

it('gives a page of a replica an ETag only if the page shows every change of its version', async () => {
  api = await start(PATIENT);
  await eventually(isServing);
  // With If-None-Match, the version is read now; without it, it can be that of a second ago, before the change.
  const etag = async () => {
    const { headers } = await api.send('GET', BY_CHANGE, undefined, api.token, { 'if-none-match': '"none"' });
    return headers.get('etag') ?? undefined;
  };
  await eventually(etag);
  await pair.pauseReplay();
  const id = await createPartner();
  const { body } = await api.get(`/v0/partners/${id}`);
  // From here on the primary would return it, with an ETag.
  await eventually(async () => api.app.get(Watermark).now() > body.updatedAt);
  expect((await shown(BY_CHANGE)).has(id)).toBe(false);
  expect(await etag()).toBeUndefined();
  await pair.resumeReplay();
  const known = await eventually(etag);
  const again = await api.send('GET', BY_CHANGE, undefined, api.token, { 'if-none-match': known });
  expect(again.status).toBe(304);
  expect((await shown(BY_CHANGE)).has(id)).toBe(true);
});

it('skips a replica that is further behind than the limit', async () => {
  api = await start('300');
  await eventually(isServing);
  await pair.pauseReplay();
  const id = await createPartner();
  await eventually(async () => (await shown(BY_CHANGE)).has(id));
  await eventually(async () => (await served()) === 0);
  const [{ state }] = await pair.onReplica('SELECT pg_get_wal_replay_pause_state() AS state');
  expect(state).toBe('paused');
});

it('ends a walk on the primary that started there at a watermark that the replica has not reached', async () => {
  api = await start(PATIENT);
  const { organizationId, dataSource, token } = api;
  await eventually(isServing);
  await pair.pauseReplay();
  const made: string[] = [];
  for (let i = 0; i < 4; i++) made.push((await partner(dataSource, { organizationId })).id);
  const walk =
    '/v0/partners?sort%5BcreatedAt%5D=1&updatedAt%5Bafter%5D=2000-01-01T00%3A00%3A00Z&page%5Bsize%5D=2';
  await onPrimary(async (other) => {
    await eventually(async () => (await shown(BY_CHANGE, other, token)).size === 4);
    const first = await other.get(walk, token);
    const cursor = encodeURIComponent(first.body.page.next);
    expect(await shown(`${walk}&page%5Bafter%5D=${cursor}`)).toEqual(new Set(made.slice(2)));
  });
  await eventually(async () => (await shown(walk)).size === 0);
});

it('repeats on the primary what the replica cancels', async () => {
  api = await start(PATIENT);
  const { organizationId, dataSource } = api;
  await partner(dataSource, { organizationId });
  // Replay does not wait for queries.
  await pair.onReplica('ALTER SYSTEM SET max_standby_streaming_delay = 0');
  await pair.onReplica('SELECT pg_reload_conf()');
  await eventually(isServing);
  const replica = api.app.get(Replica);
  let begun = false;
  const reading = replica.read({ organizationId: api.organizationId }, async (reader) => {
    const asked = reader.tuples('SELECT pg_sleep(3600) FROM partners LIMIT 1');
    begun = true;
    return asked;
  });
  await eventually(async () => begun);
  await eventually(
    async () =>
      (
        await pair.onReplica(
          `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()`,
        )
      ).length > 0,
  );
  await dataSource.transaction((manager) => manager.query('LOCK TABLE partners IN ACCESS EXCLUSIVE MODE'));
  expect(await reading).toBeUndefined();
  const conflicts = async () =>
    (await pair.onReplica('SELECT sum(confl_lock)::int AS lock FROM pg_stat_database_conflicts'))[0].lock;
  await eventually(async () => (await conflicts()) > 0);
  await eventually(isServing);
});

it('with the replica killed under load and restarted, no request fails, and the API stays ready', async () => {
  api = await start('2000');
  await eventually(isServing);
  const load = await Load.on(api);
  try {
    await load.answered(200, 60);
    pair.replica.kill();
    await load.answered(200, 60);
    await eventually(async () => !(await isServing()));
    expect((await api.get('/health/ready', null)).status).toBe(200);
    await load.answered(200, 60);
    await pair.replica.start();
    await eventually(isServing);
    await load.answered(200, 60);
  } finally {
    await load.stop();
  }
  expect([...load.wrong]).toEqual([]);
  expect(Object.keys(load.statuses)).toEqual(['200']);
});
