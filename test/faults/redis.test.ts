import type { INestApplicationContext } from '@nestjs/common';
import { describeWithOwnRedis, type OwnRedis, ownRedis } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { Load } from './load';

describeWithOwnRedis()('Redis', () => {
  let redis: OwnRedis;
  let api: TestApi;
  let worker: INestApplicationContext;
  beforeAll(async () => {
    redis = await ownRedis();
    api = await startApi({ ...UNLIMITED, REDIS_URL: redis.url });
    worker = await startWorker(api, { REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await worker?.close();
    await api?.close();
    await redis?.stop();
  });

  it('Redis stopped under load without its data: requests succeed, and the work is done after it returns', async () => {
    const load = await Load.on(api);
    await load.answered(200, 60);
    await redis.stop();
    await load.answered(200, 200);
    await eventually(async () => !(await api.get('/health/ready', null)).body.ready);
    await redis.start();
    await load.answered(200, 60);
    await load.stop();
    expect(load.statuses).toEqual({ 200: expect.any(Number) });
    expect([...load.wrong]).toEqual([]);
    await load.expectKept();
    await eventually(async () => (await api.get('/health/ready', null)).body.ready);
  });

  it('a worker ends while Redis is away', async () => {
    const other = await startWorker(api, { REDIS_URL: redis.url });
    await redis.stop();
    await other.close();
    await redis.start();
  });
});
