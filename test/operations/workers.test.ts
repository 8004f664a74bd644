import type { INestApplicationContext } from '@nestjs/common';
import { eventually, startApi, startWorker, type TestApi } from '../harness';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const importOne = async (): Promise<string> => {
  const row = {
    externalCreditId: 'credit-1',
    email: 'a@example.org',
    amount: { currencyCode: 'GBP', value: 500 },
  };
  return (await api.send('POST', '/v0/credits/import', { credits: [row] })).body.jobId;
};
const job = async (id: string) => (await api.get(`/v0/credits/import/${id}`)).body;
const warnings = async (): Promise<string[]> => (await api.get('/health/ready', null)).body.warnings;
const workersOf = async (queue: string) =>
  new RegExp(`^startline_workers{queue="${queue}"} (\\d+)$`, 'm').exec(
    (await api.get('/metrics', null)).text,
  )?.[1];

describe('a job, GET /health/ready and /metrics', () => {
  it('report that no worker takes imports until one runs', async () => {
    const id = await importOne();
    expect(await job(id)).toMatchObject({ status: 'QUEUED', waitingFor: 'worker' });
    const [listed] = (await api.get('/v0/import-jobs')).body.data;
    expect(listed).toMatchObject({ jobId: id, waitingFor: 'worker' });
    expect(await warnings()).toContain('no worker takes the queue imports');
    expect(await workersOf('imports')).toBe('0');
    // An API without workers accepts requests and stores their work.
    expect((await api.get('/health/ready', null)).body.ready).toBe(true);

    const worker = await startWorker(api);
    try {
      await eventually(async () => (await job(id)).status === 'COMPLETED');
      expect((await job(id)).waitingFor).toBeNull();
      await eventually(async () => (await warnings()).length === 0);
      await eventually(async () => (await workersOf('imports')) === '1');
    } finally {
      await worker.close();
    }
    await eventually(async () => (await warnings()).length === 4);
    // A finished job waits for nothing.
    expect((await job(id)).waitingFor).toBeNull();
  });

  it('count a worker for its own queues only', async () => {
    const worker = await startWorker(api, { WORKER_QUEUES: 'race-day' });
    try {
      const id = await importOne();
      expect((await job(id)).waitingFor).toBe('worker');
      await eventually(async () => (await workersOf('race-day')) === '1');
      expect(await workersOf('imports')).toBe('0');
      expect(await warnings()).toEqual([
        'no worker takes the queue imports',
        'no worker takes the queue persons',
        'no worker takes the queue webhooks',
      ]);
    } finally {
      await worker.close();
    }
  });
});

describe('a worker', () => {
  const renewals = async () =>
    Number(
      (
        await api.dataSource.query('SELECT count(*)::int AS renewed FROM workers WHERE seen_at > started_at')
      )[0].renewed,
    );

  it('renews its row while it runs, and a killed worker stops counting when its row expires', async () => {
    const worker: INestApplicationContext = await startWorker(api, { STARTLINE_TEST_SILENT_MS: '2000' });
    try {
      await eventually(async () => (await renewals()) === 1);
    } finally {
      await worker.close();
    }
    await api.dataSource.query(
      `INSERT INTO workers (id, host, version, queues, expires_at)
       VALUES (gen_random_uuid(), 'killed', '1', '{imports}', clock_timestamp() + interval '1 hour')`,
    );
    const id = await importOne();
    expect((await job(id)).waitingFor).toBe('turn');
    await api.dataSource.query('UPDATE workers SET expires_at = clock_timestamp()');
    expect((await job(id)).waitingFor).toBe('worker');
  });
});
