import { key, organization } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function post(rows: number, token?: string): Promise<void> {
  const credits = Array.from({ length: rows }, (_, i) => ({
    externalCreditId: `${Math.random()}-${i}`,
    email: `runner-${i}@example.com`,
    amount: { value: 100, currencyCode: 'GBP' },
  }));
  const { status, text } = await api.send('POST', '/v0/credits/import', { credits }, token);
  if (status !== 200) throw new Error(text);
}

/** The finished jobs by organization, in order of their end. */
const finished = async (): Promise<string[]> =>
  (
    await api.dataSource.query(
      'SELECT organization_id AS id FROM import_jobs WHERE finished_at IS NOT NULL ORDER BY finished_at',
    )
  ).map(({ id }: { id: string }) => id);

it('many jobs of one organization do not delay another', async () => {
  await api.dataSource.query('TRUNCATE import_jobs CASCADE');
  const { id: quiet } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId: quiet });
  for (let i = 0; i < 20; i += 1) await post(5);
  await post(5, token);
  const worker = await startWorker(api, {
    WORKER_CONCURRENCY: '1',
    STARTLINE_TEST_IMPORT_TURN_MS: '1',
  });
  const order = await eventually(async () => {
    const jobs = await finished();
    return jobs.length === 21 && jobs;
  }).finally(() => worker.close());
  expect(order.indexOf(quiet)).toBeLessThan(5);
});

it('a long job yields to other organizations between two transactions', async () => {
  await api.dataSource.query('TRUNCATE import_jobs CASCADE');
  const { id: quiet } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId: quiet });
  await post(500);
  await post(1, token);
  const worker = await startWorker(api, {
    WORKER_CONCURRENCY: '1',
    STARTLINE_TEST_IMPORT_CHUNK_ROWS: '10',
    STARTLINE_TEST_IMPORT_TURN_MS: '1',
  });
  const order = await eventually(async () => {
    const jobs = await finished();
    return jobs.length === 2 && jobs;
  }).finally(() => worker.close());
  expect(order[0]).toBe(quiet);
});
