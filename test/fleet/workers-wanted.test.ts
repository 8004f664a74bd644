import { freePort, key, organization, SIGNING_SECRETS } from '#libs/testing';
import { appUrlOf } from '#platform/database';
import { eventually, pace, startApi, type TestApi } from '../harness';
import { Running } from './running';

const MOST = 4;
const ORGANIZATIONS = 20;
const JOBS_EACH = 3;
const ROWS = 1_500;
const EVERY_MS = 500;

let api: TestApi;
let metricsPort: number;
const workers: Running[] = [];
/** What the fleet wanted, without repetitions. */
const wanted: number[] = [];

interface Fleet {
  workersWanted: number;
  running: number;
  work: { queue: string; units: number; parts: number }[];
  workers: { queues: string[]; doing: { queue: string }[] }[];
}
const fleet = async (): Promise<Fleet | undefined> => {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/workers`);
  return response.ok ? ((await response.json()) as Fleet) : undefined;
};

const startWorkerProcess = () =>
  new Running({
    name: 'worker',
    command: ['node', 'dist/apps/worker/src/main.js'],
    folder: process.cwd(),
    environment: {
      HOST: '127.0.0.1',
      NODE_ENV: 'test',
      DATABASE_URL: appUrlOf(api.databaseUrl),
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      STARTLINE_TEST_SILENT_MS: '10000',
      STARTLINE_TEST_SWEEP_MS: '500',
    },
  });

/** What an autoscaler does: as many workers as are wanted. */
async function scale(): Promise<Fleet | undefined> {
  const state = await fleet();
  if (!state) return undefined;
  if (wanted.at(-1) !== state.workersWanted) wanted.push(state.workersWanted);
  while (workers.length < state.workersWanted) workers.push(startWorkerProcess());
  await Promise.all(workers.splice(state.workersWanted).map((worker) => worker.end()));
  return state;
}

beforeAll(async () => {
  metricsPort = await freePort();
  api = await startApi({
    METRICS_PORT: String(metricsPort),
    WORKERS_MOST: String(MOST),
    WORKERS_DELAY_SECONDS: '1',
    RATE_IMPORT: '1000',
  });
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end()));
  await api.close();
});

describe('the number of workers that are wanted', () => {
  it('takes a fleet from one to four and back to one, without swinging, while imports of 20 organizations and more lose nothing', async () => {
    await eventually(async () => (await scale())?.running === 1);
    expect(wanted).toEqual([1]);

    const jobs: { token: string; id: string }[] = [];
    const send = async () => {
      const { id: organizationId } = await organization(api.dataSource);
      const { token } = await key(api.dataSource, { organizationId });
      for (let job = 0; job < JOBS_EACH; job++) {
        const credits = Array.from({ length: ROWS }, (_, row) => ({
          externalCreditId: `credit-${job}-${row}`,
          email: 'runner@example.org',
          amount: { currencyCode: 'GBP', value: 500 },
        }));
        const { status, body } = await api.send('POST', '/v0/credits/import', { credits }, token);
        expect(status).toBe(200);
        jobs.push({ token, id: body.jobId });
      }
    };
    const sendAll = () => Promise.all(Array.from({ length: ORGANIZATIONS }, send));
    await sendAll();
    let finished = 0;
    let mostRunning = 0;
    let seen: Fleet | undefined;
    while (finished < jobs.length) {
      const state = await scale();
      mostRunning = Math.max(mostRunning, state?.running ?? 0);
      if (state?.workers.some(({ doing }) => doing.length > 0)) seen = state;
      const of = await Promise.all(
        jobs.map(async ({ token, id }) => (await api.get(`/v0/credits/import/${id}`, token)).body.status),
      );
      finished = of.filter((status) => status === 'COMPLETED').length;
      // More work, until workers that were started for it take part.
      if (mostRunning < 2 && jobs.length - finished < ORGANIZATIONS) await sendAll();
      else await pace(EVERY_MS);
    }
    await eventually(async () => {
      const state = await scale();
      return state?.workersWanted === 1 && state.running === 1 && workers.length === 1;
    });

    expect(seen?.workers.flatMap(({ doing }) => doing.map(({ queue }) => queue))).toContain('imports');
    const top = wanted.indexOf(Math.max(...wanted));
    expect(wanted[top]).toBe(MOST);
    expect([...wanted]).toEqual([
      ...wanted.slice(0, top + 1).sort((a, b) => a - b),
      ...wanted.slice(top + 1).sort((a, b) => b - a),
    ]);
    for (const token of new Set(jobs.map((job) => job.token)))
      expect((await api.get('/v0/credits?page%5Bsize%5D=1', token)).body.page.totalResults).toBe(
        JOBS_EACH * ROWS,
      );
  });
});
