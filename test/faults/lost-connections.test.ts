import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import {
  describeWithOwnRedis,
  freePort,
  key,
  organization,
  ownRedis,
  type TestDatabase,
  testDatabase,
} from '#libs/testing';
import { createDataSource, Database, outliveConnections } from '#platform/database';
import { eventually, UNLIMITED } from '../harness';
import { Network } from './network';
import { Program } from './workers';

let database: TestDatabase;
let dataSource: DataSource;
let organizationId: string;
let network: Network;
beforeEach(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  ({ id: organizationId } = await organization(dataSource));
});
afterEach(async () => {
  await network?.stop();
  await dataSource.destroy();
  await database.drop();
});

const portOf = (url: string) => Number(new URL(url).port);

it('a connection to PostgreSQL that is lost without a word fails one transaction, and is replaced', async () => {
  network = await Network.start(() => portOf(database.url));
  const source = await createDataSource({
    url: network.through(database.url),
    applicationName: 'test',
    poolSize: 1,
    statementTimeoutMs: 500,
  }).initialize();
  const connections = new Database(source);
  outliveConnections(connections.pool);
  const transaction = () =>
    connections.of(organizationId).transaction((manager) => manager.query('SELECT count(*) FROM partners'));
  await transaction();
  network.lose();
  await expect(transaction()).rejects.toThrow();
  expect(await transaction()).toHaveLength(1);
  await source.destroy();
});

describeWithOwnRedis()('Redis', () => {
  it('connections to Redis that are lost without a word are replaced, and imports are done', async () => {
    const redis = await ownRedis();
    network = await Network.start(() => portOf(redis.url));
    const port = await freePort();
    const environment = {
      ...UNLIMITED,
      PORT: String(port),
      DATABASE_URL: database.url,
      REDIS_URL: network.through(redis.url),
      STARTLINE_TEST_SWEEP_MS: '500',
    };
    const programs = await Promise.all([
      Program.start('api', environment),
      Program.start('worker', environment),
    ]);
    const { token } = await key(dataSource, { organizationId });
    const expectImported = async () => {
      const externalCreditId = randomUUID();
      const amount = { value: 500, currencyCode: 'GBP' };
      const { status } = await fetch(`http://127.0.0.1:${port}/v0/credits/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ credits: [{ externalCreditId, email: 'ada@example.com', amount }] }),
      });
      expect(status).toBe(200);
      const credit = 'SELECT FROM credits WHERE external_credit_id = $1';
      await eventually(async () => (await dataSource.query(credit, [externalCreditId])).length === 1);
    };
    try {
      await expectImported();
      network.lose();
      await expectImported();
    } finally {
      await Promise.all(programs.map((program) => program.kill()));
      await redis.stop();
    }
  });
});
