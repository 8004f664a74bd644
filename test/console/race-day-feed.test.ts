import { booking, key, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let desk: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_SIGN_IN: '1000' });
  desk = (await signedIn(api, 'RACE_DAY')).browser;
});
afterAll(() => api.close());

const feed = async (browser = desk) => (await browser.ask('GET', '/console/v1/race-day/feed')).body;
const message = (data: object, minute = 30) => ({
  schemaVersion: '1.0',
  data,
  changedAt: `2026-05-04T09:${minute}:00Z`,
});
const shipping = { shippedAt: '2026-05-04T09:30:00Z', trackingNumber: 'TRACK-SECRET' };

it('is empty before anything came in', async () => {
  expect(await feed()).toMatchObject({
    perSecond: [],
    pending: 0,
    waiting: { forBibs: 0, forParticipants: 0, most: [] },
    latest: [],
  });
});

it('counts messages by second, says what waits for whom, and shows the newest', async () => {
  const { token } = await key(api.dataSource, { organizationId: api.organizationId, kind: 'TIMING' });
  const { entries } = await booking(api.dataSource, { organizationId: api.organizationId });
  const participantId = entries[0]?.participantId ?? '';
  const unknown = newId();
  const sent = await api.send(
    'POST',
    '/timing-inbound/v1',
    [
      message({ participantId, bibNumber: '77' }),
      message({ participantId: unknown, bibNumber: '78' }),
      message({ bibNumber: '4711', shipping }, 31),
      message({ bibNumber: '4711', shipping }, 32),
    ],
    token,
  );
  expect(sent.status).toBe(200);
  const before = await feed();
  expect(before.pending).toBe(4);
  expect(before.latest.map(({ state }: any) => state)).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING']);
  const worker = await startWorker(api);
  try {
    const { body } = await eventually(async () => {
      const answer = await desk.ask('GET', '/console/v1/race-day/feed');
      return answer.body.pending === 0 && answer;
    });
    expect(body.perSecond.reduce((sum: number, { messages }: any) => sum + messages, 0)).toBe(4);
    expect(body.waiting).toMatchObject({
      forBibs: 2,
      forParticipants: 1,
      most: [
        { bibNumber: '4711', participantId: null, messages: 2 },
        { bibNumber: null, participantId: unknown, messages: 1 },
      ],
    });
    expect(body.latest).toMatchObject([
      { bibNumber: '4711', participantId: null, shippingStatus: 'SHIPPED', setsBib: false, state: 'WAITING' },
      { state: 'WAITING' },
      { participantId: unknown, bibNumber: '78', setsBib: true, state: 'WAITING' },
      { participantId, bibNumber: '77', source: 'TIMING', setsBib: true, state: 'APPLIED' },
    ]);
    const ids = body.latest.map(({ id }: any) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(JSON.stringify(body)).not.toContain('TRACK-SECRET');
  } finally {
    await worker.close();
  }
});

it('counts no more than the newest 20,000 messages of five minutes, and says since when', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { browser } = await signedIn(api, 'OWNER', undefined, organizationId);
  const insert = (count: number, age: string) =>
    api.dataSource.query(
      `INSERT INTO race_day_log (organization_id, source, received_at, changed_at, participant_id, applied_at)
       SELECT $1, 'RACE_DAY', clock_timestamp() - $3::interval, now(), uuid_v7(), now() FROM generate_series(1, $2::int)`,
      [organizationId, count, age],
    );
  await insert(10, '6 minutes');
  await insert(5, '4 minutes');
  const whole = await feed(browser);
  expect(whole.perSecond.reduce((sum: number, { messages }: any) => sum + messages, 0)).toBe(5);
  expect(Date.parse(whole.at) - Date.parse(whole.countedSince)).toBeGreaterThanOrEqual(299_000);
  await insert(20_000, '1 minute');
  const bounded = await feed(browser);
  expect(bounded.perSecond.reduce((sum: number, { messages }: any) => sum + messages, 0)).toBe(20_000);
  expect(Date.parse(bounded.at) - Date.parse(bounded.countedSince)).toBeLessThan(200_000);
  expect(bounded.latest).toHaveLength(50);
});

it('is not for viewers and keys, and shows no other organization', async () => {
  const other = await organization(api.dataSource);
  const { browser: stranger } = await signedIn(api, 'OWNER', undefined, other.id);
  expect((await feed(stranger)).latest).toEqual([]);
  const { browser: viewer } = await signedIn(api, 'VIEWER');
  expect((await viewer.ask('GET', '/console/v1/race-day/feed')).status).toBe(403);
  expect((await api.get('/console/v1/race-day/feed')).status).toBe(403);
});
