import { Logger } from '@nestjs/common';
import { booking, key, organization } from '#libs/testing';
import { ApiKey, newId } from '#platform/database';
import { Maintenance } from '../../apps/worker/src/maintenance/maintenance';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

const ROWS = 20;

let api: TestApi;
let second: TestApi;
let manager: Browser;
beforeAll(async () => {
  const log = { STARTLINE_TEST_REQUEST_LOG_ROWS: `${ROWS}`, RATE_SIGN_IN: '1000' };
  api = await startApi(log);
  second = await startApi({ ...log, DATABASE_URL: api.databaseUrl });
  manager = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(async () => {
  await second.close();
  await api.close();
});

/** A key of its own, whose requests nothing else mixes with. */
async function newKey(organizationId = api.organizationId): Promise<{ id: string; token: string }> {
  const { id, token } = await key(api.dataSource, { organizationId });
  return { id, token };
}
const list = async (query: string, browser = manager) =>
  (await browser.ask('GET', `/console/v1/requests?${query}`)).body;
const rowsOf = async (id: string): Promise<any[]> => (await list(`keyId=${id}&page[size]=500`)).data;
const written = (id: string, count: number) =>
  eventually(async () => {
    const rows = await rowsOf(id);
    return rows.length >= count && rows;
  });

it('shows the requests of a key with their pattern, status and request id, and without values', async () => {
  const { id, token } = await newKey();
  const { id: bookingId } = await booking(api.dataSource, { organizationId: api.organizationId });
  const found = await api.get(`/v0/bookings/${bookingId}?extendMetadata=true`, token);
  await api.get(`/v0/bookings/${newId()}`, token);
  await api.send('POST', '/v0/credits/import', { credits: [{ email: 'secret@example.com' }] }, token);
  const rows = await written(id, 3);
  expect(rows.map(({ method, route, operation, status }) => [method, route, operation, status])).toEqual([
    ['POST', '/v0/credits/import', 'importCredits', 400],
    ['GET', '/v0/bookings/{id}', 'getBooking', 404],
    ['GET', '/v0/bookings/{id}', 'getBooking', 200],
  ]);
  expect(rows[2]).toMatchObject({
    keyId: id,
    keyName: (await api.dataSource.getRepository(ApiKey).findOneByOrFail({ id })).name,
    requestId: found.headers.get('x-request-id'),
    durationMs: expect.any(Number),
    at: expect.stringMatching(/\.\d{6}Z$/),
  });
  const [{ text }] = await api.dataSource.query(
    'SELECT string_agg(r::text, chr(10)) AS text FROM request_log r WHERE api_key_id = $1',
    [id],
  );
  for (const value of [bookingId, 'secret@', 'extendMetadata']) expect(text).not.toContain(value);
});

it('filters by key, status, pattern and time, and pages', async () => {
  const { id, token } = await newKey();
  for (let i = 0; i < 3; i++) await api.get('/v0/partners', token);
  await api.get(`/v0/partners/${newId()}`, token);
  await api.get('/v0/partners?nonsense=1', token);
  const rows = await written(id, 5);
  const statuses = async (query: string) =>
    (await list(`keyId=${id}&${query}`)).data.map(({ status }: any) => status);
  expect(await statuses('statusClass=2xx')).toEqual([200, 200, 200]);
  expect(await statuses('statusClass=4xx')).toEqual([400, 404]);
  expect(await statuses('statusClass=errors')).toEqual([400, 404]);
  expect(await statuses('statusClass=5xx')).toEqual([]);
  expect(await statuses(`route=${encodeURIComponent('/v0/partners/{id}')}`)).toEqual([404]);
  expect(await statuses(`at[after]=${rows[2].at}`)).toEqual([400, 404]);
  expect(await statuses(`at[before]=${rows[3].at}`)).toEqual([200]);
  const first = await list(`keyId=${id}&page[size]=2`);
  const next = await list(`keyId=${id}&page[size]=2&page[after]=${encodeURIComponent(first.page.next)}`);
  expect(first.page.totalResults).toBe(5);
  expect([...first.data, ...next.data]).toEqual(rows.slice(0, 4));
  const { status } = await manager.ask('GET', '/console/v1/requests?statusClass=6xx');
  expect(status).toBe(400);
});

it('keeps a bounded number of a key and hour, of all processes together, and a quarter of it for refusals', async () => {
  const { id, token } = await newKey();
  await Promise.all(
    Array.from({ length: 3 * ROWS }, (_, i) => (i % 2 ? api : second).get('/v0/partners', token)),
  );
  const permitted = ROWS - ROWS / 4;
  await written(id, permitted);
  const refused = () => api.get(`/v0/partners/${newId()}`, token);
  await refused();
  await eventually(async () => (await rowsOf(id)).some(({ status }) => status === 404));
  for (let i = 0; i < ROWS; i++) await refused();
  const [marker] = [await newKey()];
  await api.get('/v0/partners', marker.token);
  await written(marker.id, 1);
  const rows = await rowsOf(id);
  // The hour may change during the test.
  const hours = new Set(rows.map(({ at }) => at.slice(0, 13))).size;
  expect(rows.length).toBeLessThanOrEqual(ROWS * hours);
  expect(rows.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(permitted * hours);
  expect(rows.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(ROWS / 4);
});

it('prefers refusals within a batch', async () => {
  const { organizationId, dataSource } = api;
  const keyId = newId();
  const entry = (status: number, i: number) => ({
    organization_id: organizationId,
    api_key_id: keyId,
    at: new Date(Date.UTC(2026, 0, 1, 12, 0, 0, i)),
    operation: 'getBooking',
    method: 'GET',
    route: '/v0/bookings/{id}',
    status,
    ms: 1,
    request_id: newId(),
  });
  const entries = [...Array.from({ length: 8 }, (_, i) => entry(200, i)), entry(403, 100), entry(500, 101)];
  const counts = await dataSource.query('SELECT written FROM record_requests($1, 4)', [
    JSON.stringify(entries),
  ]);
  expect(counts).toEqual([{ written: 3 }]);
  const rows = await dataSource.query('SELECT status FROM request_log WHERE api_key_id = $1 ORDER BY at', [
    keyId,
  ]);
  expect(rows).toEqual([{ status: 200 }, { status: 403 }, { status: 500 }]);
});

it('logs neither staff nor requests without a valid key', async () => {
  const count = async () =>
    (await api.dataSource.query('SELECT count(*)::int AS rows FROM request_log'))[0].rows;
  const marker = await newKey();
  await api.get('/v0/partners', marker.token);
  await written(marker.id, 1);
  const before = await count();
  await manager.ask('GET', '/v0/partners');
  await api.get('/v0/partners', 'nonsense');
  await api.get('/v0/partners', null);
  await api.get('/v0/partners', marker.token);
  await written(marker.id, 2);
  expect(await count()).toBe(before + 1);
});

it('does not show another organization’s requests, and is for owners and managers', async () => {
  const other = await organization(api.dataSource);
  const foreign = await newKey(other.id);
  await api.get('/v0/partners', foreign.token);
  const { browser: theirs } = await signedIn(api, 'OWNER', undefined, other.id);
  await eventually(async () => (await list('', theirs)).data.length === 1);
  expect((await list(`keyId=${foreign.id}`)).data).toEqual([]);
  expect((await list('page[size]=500')).data.filter(({ keyId }: any) => keyId === foreign.id)).toEqual([]);
  for (const role of ['VIEWER', 'RACE_DAY'] as const) {
    const { browser } = await signedIn(api, role);
    expect((await browser.ask('GET', '/console/v1/requests')).status).toBe(403);
  }
});

it('writes the last batch when the process ends', async () => {
  const { id, token } = await newKey();
  const third = await startApi({ DATABASE_URL: api.databaseUrl });
  await third.get('/v0/partners', token);
  await third.close();
  expect(await rowsOf(id)).toHaveLength(1);
});

it('writes nothing during a request, and nothing at all with REQUEST_LOG_DAYS=0', async () => {
  const { id, token } = await newKey();
  const off = await startApi({ REQUEST_LOG_DAYS: '0', DATABASE_URL: api.databaseUrl });
  await off.get('/v0/partners', token);
  await off.close();
  expect(await rowsOf(id)).toEqual([]);
});

it('goes on after a batch that failed', async () => {
  const { id, token } = await newKey();
  await api.dataSource.query('ALTER TABLE request_log RENAME TO request_log_away');
  const warned = jest.spyOn(Logger.prototype, 'warn');
  await eventually(async () => {
    await api.get('/v0/partners', token);
    return warned.mock.calls.some(([message]) =>
      String(message).startsWith('A batch of the request log was lost'),
    );
  });
  warned.mockRestore();
  await api.dataSource.query('ALTER TABLE request_log_away RENAME TO request_log');
  await eventually(async () => {
    await api.get('/v0/partners', token);
    return (await rowsOf(id)).length > 0;
  });
});

it('forgets requests after REQUEST_LOG_DAYS', async () => {
  const { id, token } = await newKey();
  await api.get('/v0/partners', token);
  await written(id, 1);
  await api.get('/v0/partners', token);
  await written(id, 2);
  await api.dataSource.query(
    `UPDATE request_log SET at = at - interval '3 days 1 minute' WHERE id = (
       SELECT id FROM request_log WHERE api_key_id = $1 ORDER BY at LIMIT 1)`,
    [id],
  );
  const worker = await startWorker(api, { STARTLINE_TEST_MAINTENANCE_MS: '3600000' });
  await worker.get(Maintenance).run();
  await worker.close();
  expect(await rowsOf(id)).toHaveLength(1);
});
