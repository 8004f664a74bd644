import type { INestApplicationContext } from '@nestjs/common';
import { type TestDatabase, testDatabase, withDatabase } from '#libs/testing';
import { appUrlOf } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { Load } from './load';

/** The maximum number of connections that all processes want. */
const CONNECTIONS = 50;
const LEFT = 3;

const server = process.env.TESTS_SERVER ?? '';
let database: TestDatabase;
let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  database = await testDatabase();
  await allow(CONNECTIONS);
  api = await startApi({
    ...UNLIMITED,
    DATABASE_URL: database.url,
    API_POOL_SIZE: '10',
    POOL_WAIT_MS: '2000',
  });
  worker = await startWorker(api, { WORKER_POOL_SIZE: '4', WORKER_CONCURRENCY: '3' });
});
afterAll(async () => {
  await worker?.close();
  await api?.close();
  await database?.drop();
});

/** The limit does not apply to the owner, who is a superuser here. */
const allow = (connections: number) =>
  withDatabase(server, (client) =>
    client.query(`ALTER DATABASE ${nameOf(database)} CONNECTION LIMIT ${connections}`),
  );
const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);

it('with connections exhausted, requests without a connection get 503, nothing is lost, and all recover', async () => {
  const load = await Load.on(api);
  await load.answered(200, 60);
  // As if others had taken the slots: few of the connections that end can reconnect.
  await allow(LEFT);
  await withDatabase(server, (client) =>
    client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = $2',
      [nameOf(database), new URL(appUrlOf(database.url)).username],
    ),
  );
  await load.answered(503);
  expect((await api.get('/health/live', null)).status).toBe(200);
  await allow(CONNECTIONS);
  await eventually(async () => (await api.get('/health/ready', null)).body.ready);
  await load.answered(200, 60);
  await load.stop();
  expect([...load.wrong]).toEqual([]);
  await load.expectKept();
});
