import type { INestApplicationContext } from '@nestjs/common';
import { appUrlOf, migrate } from '#libs/database';
import { withDatabase } from '#libs/testing';
import { UNLIMITED } from '../contract/refused';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { Load } from './load';

jest.setTimeout(240_000);

const ROLE = `faults_${process.pid}`;
/** What all the processes want at most. */
const CONNECTIONS = 50;
const LEFT = 3;

const server = process.env.STARTLINE_TEST_SERVER ?? '';
let url: string;
let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  await withDatabase(server, async (client) => {
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}' CONNECTION LIMIT ${CONNECTIONS}`);
    await client.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  });
  url = Object.assign(new URL(server), { username: ROLE, password: ROLE, pathname: `/${ROLE}` }).href;
  await migrate(url, { appUrl: appUrlOf(url) });
  api = await startApi({ ...UNLIMITED, DATABASE_URL: url, API_POOL_SIZE: '10', POOL_WAIT_MS: '500' });
  worker = await startWorker(api, { WORKER_POOL_SIZE: '4' });
});
afterAll(async () => {
  await worker?.close();
  await api?.close();
  await withDatabase(server, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${ROLE} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${ROLE}`);
  });
});

it('connections exhausted: 503 for who gets none, and nothing lost; all go on when there are some again', async () => {
  const load = await Load.on(api);
  await load.answered(200, 60);
  // Others have taken them: of those that end, few come back.
  await withDatabase(server, async (client) => {
    await client.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT ${LEFT}`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [ROLE]);
  });
  await load.answered(503);
  expect((await api.get('/health/live', null)).status).toBe(200);
  await withDatabase(server, (client) => client.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT ${CONNECTIONS}`));
  await eventually(async () => (await api.get('/health/ready', null)).body.ready, 60_000);
  await load.answered(200, 60);
  await load.stop();
  expect([...load.wrong]).toEqual([]);
  await load.expectKept();
});
