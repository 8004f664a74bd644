import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Redis } from 'ioredis';
import { describeWithOwnRedis, freePort } from '#libs/testing';
import { endWithUs } from '../../libs/testing/src/end-with-us';
import { eventually, startApi, startWorker, type TestApi } from '../harness';

/** A cluster of one node with all slots: it rejects commands and scripts whose keys are in several slots. */
describeWithOwnRedis()('Redis in cluster mode', () => {
  let server: ChildProcess;
  let redis: Redis;
  let api: TestApi;
  let worker: INestApplicationContext;
  const folder = mkdtempSync(join(tmpdir(), 'startline-cluster-'));
  beforeAll(async () => {
    const port = await freePort();
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
    server = spawn('redis-server', [...words, ...cluster], { stdio: 'ignore' });
    await once(server, 'spawn');
    endWithUs(server.pid as number, folder);
    redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
    redis.on('error', () => {});
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await eventually(async () => String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    const environment = { REDIS_URL: `redis://127.0.0.1:${port}` };
    api = await startApi(environment);
    worker = await startWorker(api, environment);
  });
  afterAll(async () => {
    await worker?.close();
    await api?.close();
    redis.disconnect();
    const gone = once(server, 'exit');
    server.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });

  it('imports rows and counts requests', async () => {
    const credit = { email: 'ada@example.com', amount: { value: 500, currencyCode: 'GBP' } };
    const credits = [{ externalCreditId: 'credit-1', ...credit }];
    const { status, body, headers } = await api.send('POST', '/v0/credits/import', { credits });
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
    await eventually(async () => {
      const job = await api.get(`/v0/credits/import/${body.jobId}`);
      return job.body.status === 'COMPLETED';
    });

    const slots = new Map<string, Set<number>>();
    for (const key of await redis.keys('*')) {
      const slot = Number(await redis.call('CLUSTER', 'KEYSLOT', key));
      const [owner = ''] = /^\{startline\}|^startline:rate:/.exec(key) ?? [`unknown: ${key}`];
      slots.set(owner, (slots.get(owner) ?? new Set()).add(slot));
    }
    expect([...slots.keys()].sort()).toEqual(['startline:rate:', '{startline}']);
    expect(slots.get('{startline}')?.size).toBe(1);
    // No script was rejected for its keys; one may fail because this node does not know it yet.
    const commands = await redis.info('commandstats');
    const failed = [...commands.matchAll(/cmdstat_eval(?:sha)?:.*failed_calls=(\d+)/g)].map(([, n]) =>
      Number(n),
    );
    const errors = await redis.info('errorstats');
    expect(failed.length).toBeGreaterThan(0);
    expect(errors).not.toContain('CROSSSLOT');
    expect(failed.reduce((sum, n) => sum + n)).toBe(Number(/NOSCRIPT:count=(\d+)/.exec(errors)?.[1] ?? 0));
  });
});
