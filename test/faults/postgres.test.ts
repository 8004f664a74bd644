import type { INestApplicationContext } from '@nestjs/common';
import { key } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { freeze } from './freeze';
import { Load } from './load';
import { OwnPostgres } from './own-postgres';

const POOL_WAIT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 3_000;

let postgres: OwnPostgres;
let api: TestApi;
let worker: INestApplicationContext;
beforeEach(async () => {
  postgres = await OwnPostgres.start();
  const environment = {
    ...UNLIMITED,
    POOL_WAIT_MS: String(POOL_WAIT_MS),
    STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
  };
  api = await startApi({ DATABASE_URL: postgres.url, ...environment });
  worker = await startWorker(api, environment);
});
afterEach(async () => {
  await worker?.close();
  await api?.close();
  await postgres?.remove();
});

const isReady = async () => (await api.get('/health/ready', null)).body.ready;

/** Checks that everything has recovered, including the notifications about keys. */
async function expectRecovered(load: Load): Promise<void> {
  await eventually(isReady);
  await load.answered(200, 60);
  await load.stop();
  expect([...load.wrong]).toEqual([]);
  await load.expectKept();
  expect((await api.get('/identity')).status).toBe(200);
  const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
  expect((await api.get('/identity', token)).status).toBe(200);
  await api.dataSource.query('UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1', [id]);
  await eventually(async () => (await api.get('/identity', token)).status === 401);
}

it('PostgreSQL restarted under load: requests get 503 meanwhile, nothing is lost, and everything recovers', async () => {
  const load = await Load.on(api);
  await load.answered(200, 60);
  await postgres.stop();
  await load.answered(503);
  expect(await isReady()).toBe(false);
  await postgres.start();
  await expectRecovered(load);
});

it('PostgreSQL killed under load, twice: every write answered with 200 is stored', async () => {
  const load = await Load.on(api);
  for (let i = 0; i < 2; i++) {
    await load.answered(200, 60);
    postgres.kill();
    await load.answered(503);
    await postgres.start();
  }
  await expectRecovered(load);
});

it('PostgreSQL frozen under load: requests time out, and succeed again when it continues', async () => {
  const load = await Load.on(api);
  await load.answered(200, 60);
  const thaw = freeze(postgres.pid);
  try {
    await load.answered(503, 10);
    expect(await isReady()).toBe(false);
  } finally {
    thaw();
  }
  await expectRecovered(load);
});
