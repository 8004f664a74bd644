import type { INestApplicationContext } from '@nestjs/common';
import { key } from '#libs/testing';
import { Watermark } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { StreamingPair } from '../replicas/streaming-pair';
import { Load } from './load';
import { type Item, PATTERNS, Poller } from './poller';

let pair: StreamingPair;
let api: TestApi;
let worker: INestApplicationContext;
beforeEach(async () => {
  pair = await StreamingPair.start();
  await pair.synchronize();
  const environment = { ...UNLIMITED, POOL_WAIT_MS: '4000', STATEMENT_TIMEOUT_MS: '60000' };
  api = await startApi({ DATABASE_URL: pair.url, ...environment });
  worker = await startWorker(api, environment);
});
afterEach(async () => {
  await worker?.close();
  await api?.close();
  await pair?.remove();
});

/** Whether the test's own connections are to the promoted server: those to the former primary are closed within a second. */
const readsPromoted = (): Promise<boolean> =>
  api.dataSource.query("SELECT pg_walfile_name(pg_current_wal_insert_lsn()) LIKE '00000002%' AS yes").then(
    ([{ yes }]) => yes,
    () => false,
  );

const partners = (): Promise<Item[]> =>
  api.dataSource.query(
    `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt" FROM partners
     WHERE organization_id = $1`,
    [api.organizationId],
  );

const pollers = () =>
  (Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]).map(
    (pattern) => new Poller(pattern, '/v0/partners', (path) => api.get(path)),
  );

/** Nothing lost, doubled, unseen or out of order, and the notifications of changed keys are heard again. */
async function expectRecovered(load: Load, polling: Poller[]): Promise<void> {
  await eventually(readsPromoted);
  await load.answered(200, 100);
  await load.stop();
  expect([...load.wrong]).toEqual([]);
  await load.expectKept();
  const all = await partners();
  const newest = all.map(({ updatedAt }) => updatedAt).reduce((a, b) => (a > b ? a : b));
  await eventually(async () => api.app.get(Watermark).now() > newest);
  for (const poller of polling) {
    expect([poller.pattern, await poller.missing(all), poller.disordered]).toEqual([poller.pattern, [], 0]);
  }
  expect((await api.get('/health/ready', null)).status).toBe(200);
  const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
  expect((await api.get('/identity', token)).status).toBe(200);
  await api.dataSource.query('UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1', [id]);
  await eventually(async () => (await api.get('/identity', token)).status === 401);
}

it('the primary killed and the standby promoted under load: nothing is lost, and no process is restarted', async () => {
  const load = await Load.on(api);
  const polling = pollers();
  await load.answered(200, 200);
  pair.primary.kill();
  await load.answered(503);
  await pair.promote();
  await load.answered(200, 5);
  await expectRecovered(load, polling);
});

it('the primary frozen and the standby promoted: requests leave the frozen server, and never return to it', async () => {
  const load = await Load.on(api);
  const polling = pollers();
  await load.answered(200, 200);
  const thaw = pair.primary.freeze();
  await pair.promote();
  await load.answered(200, 5);
  thaw();
  await expectRecovered(load, polling);
  expect(await pair.clientsOfPrimary()).toEqual([]);
});
