import type { INestApplicationContext } from '@nestjs/common';
import { describeWithOwnRedis, key } from '#libs/testing';
import { QUEUES } from '#platform/config';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { CounterModule } from '../rate-limits/counter.module';
import { Load } from './load';
import { SentinelRedis } from './redis-sentinel';

const LIMIT = 20;

describeWithOwnRedis()('Redis with Sentinel', () => {
  let redis: SentinelRedis;
  let api: TestApi;
  let counting: TestApi;
  let worker: INestApplicationContext;
  beforeEach(async () => {
    redis = await SentinelRedis.start();
    const environment = { ...UNLIMITED, ...redis.settings };
    api = await startApi(environment);
    const parts = { groups: [CounterModule] };
    const limited = { ...redis.settings, RATE_IMPORT: String(LIMIT), DATABASE_URL: api.databaseUrl };
    counting = await startApi(limited, parts);
    worker = await startWorker(api, environment);
  });
  afterEach(async () => {
    await worker?.close();
    await counting?.close();
    await api?.close();
    await redis?.stop();
  });

  const isReady = async () => (await api.get('/health/ready', null)).body.ready;

  /** Nothing is lost, and counts and queues are in the new master. */
  async function expectRecovered(load: Load): Promise<void> {
    await eventually(() => redis.replica.isMaster());
    await eventually(isReady);
    await load.answered(200, 60);
    await load.stop();
    expect(load.statuses).toEqual({ 200: expect.any(Number) });
    expect([...load.wrong]).toEqual([]);
    await load.expectKept();
    // The same worker waits for jobs in every queue of the new master.
    const blocked = async () =>
      Number(/blocked_clients:(\d+)/.exec(String(await redis.replica.ask('INFO', 'clients')))?.[1]);
    await eventually(async () => (await blocked()) >= QUEUES.length);

    const { token, id } = await key(counting.dataSource, { organizationId: counting.organizationId });
    const answers = await Promise.all(
      Array.from({ length: LIMIT + 10 }, () => counting.send('POST', '/counter', {}, token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    const inPostgres = await counting.dataSource.query('SELECT 1 FROM rate_windows WHERE api_key_id = $1', [
      id,
    ]);
    expect(inPostgres).toEqual([]);
    const keys = (await redis.replica.ask('KEYS', `*${id}*`)) as string[];
    expect(keys).toHaveLength(1);
  }

  it('the master killed under load: no request fails, and queues and rate counts move to the new master', async () => {
    const load = await Load.on(api);
    await load.answered(200, 60);
    await redis.master.kill();
    await expectRecovered(load);
  });

  it('the master frozen under load: the same, and nothing returns to it', async () => {
    const load = await Load.on(api);
    await load.answered(200, 60);
    redis.master.signal('SIGSTOP');
    await expectRecovered(load);
    redis.master.signal('SIGCONT');
    await eventually(async () => (await redis.master.isMaster()) === false);
    expect(await isReady()).toBe(true);
  });
});
