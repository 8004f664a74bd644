import { describeWithOwnRedis, key, type OwnRedis, ownRedis, withDatabase } from '#libs/testing';
import type { Settings } from '#platform/config';
import { requireRedis } from '#platform/database';
import { eventually, startApi, type TestApi } from '../harness';
import { CounterModule } from './counter.module';

const LIMIT = 20;
const parts = { groups: [CounterModule] };
const flood = (fleet: TestApi[], count: number, token: string) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      (fleet[i % fleet.length] as TestApi).send('POST', '/counter', {}, token),
    ),
  );

describeWithOwnRedis()('while Redis is unavailable', () => {
  let redis: OwnRedis;
  let fleet: TestApi[];
  beforeAll(async () => {
    redis = await ownRedis();
    const environment = { RATE_IMPORT: String(LIMIT), REDIS_URL: redis.url };
    const one = await startApi(environment, parts);
    fleet = [one, await startApi({ ...environment, DATABASE_URL: one.databaseUrl }, parts)];
  });
  afterAll(async () => {
    for (const api of [...fleet].reverse()) await api.close();
    await redis.stop();
  });

  it('a process starts without it, but not with settings that do not mend themselves', async () => {
    const { port } = new URL(redis.url);
    const starts = (REDIS_URL: string) => requireRedis({ REDIS_URL } as Settings);
    await starts('redis://127.0.0.1:1');
    await starts(redis.url);
    await expect(starts('redis://nohost.invalid')).rejects.toThrow(
      "REDIS_URL: can't connect to nohost.invalid: host not found.",
    );
    await expect(starts(`${redis.url}/999`)).rejects.toThrow(
      `REDIS_URL: can't connect to 127.0.0.1:${port}/999: the database does not exist.`,
    );
  });

  it('rate limits are counted exactly in PostgreSQL without Redis, and in Redis again when it returns', async () => {
    const [one] = fleet as [TestApi];
    const ready = async () => (await one.get('/health/ready', null)).body;
    expect(await ready()).toMatchObject({ ready: true });

    await redis.stop();
    const { token, id } = await key(one.dataSource, { organizationId: one.organizationId });
    const answers = await flood(fleet, LIMIT + 10, token);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(await one.dataSource.query('SELECT 1 FROM rate_windows WHERE api_key_id = $1', [id])).toHaveLength(
      1,
    );
    const state = await eventually(async () => {
      const body = await ready();
      return !body.ready && body;
    });
    expect(state.parts).toMatchObject({ database: 'ok', queue: 'does not respond' });

    await redis.start();
    await eventually(async () => (await ready()).ready);
    const later = await key(one.dataSource, { organizationId: one.organizationId });
    expect((await flood([one], 1, later.token))[0]?.status).toBe(200);
    expect(
      await one.dataSource.query('SELECT 1 FROM rate_windows WHERE api_key_id = $1', [later.id]),
    ).toEqual([]);
  });
});

describe('while the counts in PostgreSQL are unreachable', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(
      { RATE_IMPORT: String(LIMIT), RATE_WIDE: '200', STATEMENT_TIMEOUT_MS: '1500', API_POOL_SIZE: '4' },
      parts,
    );
  });
  afterAll(() => api.close());

  it('exact rate limits return 503 and do nothing, and wide ones are counted by each process', async () => {
    const { token } = await key(api.dataSource, { organizationId: api.organizationId });
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query('BEGIN; LOCK TABLE rate_windows IN ACCESS EXCLUSIVE MODE');
      const refused = await api.send('POST', '/counter', {}, token);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('2');
      const reads = await Promise.all(Array.from({ length: 210 }, () => api.get('/counter', token)));
      expect(reads.filter(({ status }) => status === 200)).toHaveLength(200);
      expect(reads.filter(({ status }) => status === 429)).toHaveLength(10);
      await client.query('ROLLBACK');
    });
    expect((await api.send('POST', '/counter', {}, token)).status).toBe(200);
  });
});
