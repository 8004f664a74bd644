import { freePort, key, organization, type TestDatabase, testDatabase, withDatabase } from '#libs/testing';
import { appUrlOf, createDataSource } from '#platform/database';
import { Program } from '../faults/workers';
import { eventually } from '../harness';

/** Compiling at start is slow on a busy machine. */
let database: TestDatabase;
let token: string;
let url: string;
let api: Program;
let worker: Program;
beforeAll(async () => {
  database = await testDatabase();
  const dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  const { id: organizationId } = await organization(dataSource);
  token = (await key(dataSource, { organizationId })).token;
  await dataSource.destroy();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  // Only the queue starts work in the worker.
  const environment = { DATABASE_URL: appUrlOf(database.url), STARTLINE_TEST_SWEEP_MS: '3600000' };
  [api, worker] = await Promise.all([
    Program.start('api', { ...environment, PORT: String(port) }),
    Program.start('worker', environment),
  ]);
});
afterAll(async () => {
  await api?.kill();
  await worker?.kill();
  await database?.drop();
});

async function importing(requestId: string, reasons: string[]): Promise<string> {
  const credits = reasons.map((reason, i) => ({
    externalCreditId: `${reason}-${i}`,
    email: 'somebody@example.org',
    amount: { value: 500, currencyCode: 'GBP' },
    reason,
  }));
  const answer = await fetch(`${url}/v0/credits/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
      'idempotency-key': reasons.join(),
    },
    body: JSON.stringify({ credits }),
  });
  return ((await answer.json()) as { jobId: string }).jobId;
}

/** Complete lines that contain all of it. */
const linesOf = (program: Program, wanted: Record<string, unknown>): Record<string, any>[] =>
  program.log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
    .filter((line) => Object.entries(wanted).every(([name, value]) => line[name] === value));

const line = (program: Program, wanted: Record<string, unknown>) =>
  eventually(async () => linesOf(program, wanted)[0]);

it('the API logs request and job together, and so does the worker at the end of the job', async () => {
  const jobId = await importing('shop-41', ['a', 'b']);
  const both = { requestId: 'shop-41', jobId };
  expect(await line(api, { ...both, msg: 'import accepted' })).toMatchObject({
    surface: 'creditsImport',
    rows: 2,
  });
  expect(await line(worker, { ...both, msg: 'import finished' })).toMatchObject({
    surface: 'creditsImport',
    status: 'COMPLETED',
    rows: 2,
    failedRows: 0,
    seconds: expect.any(Number),
  });
  expect(await line(api, { requestId: 'shop-41', msg: 'request' })).toMatchObject({ status: 200 });
});

it('a repeated request logs the existing job', async () => {
  const jobId = await importing('shop-42', ['c']);
  expect(await importing('shop-43', ['c'])).toBe(jobId);
  await line(api, { requestId: 'shop-43', jobId, msg: 'import accepted before' });
});

it('a failure in the worker logs the request that created the job', async () => {
  await withDatabase(database.url, (client) =>
    client.query(`ALTER TABLE credits ADD CONSTRAINT unforeseen CHECK (reason <> 'unforeseen')`),
  );
  const jobId = await importing('shop-44', ['unforeseen']);
  const failure = await line(worker, { requestId: 'shop-44', jobId, level: 'error' });
  expect(failure).toMatchObject({ rows: expect.any(Number), code: '23514' });
  expect(await line(worker, { requestId: 'shop-44', jobId, msg: 'import finished' })).toMatchObject({
    failedRows: 1,
  });
});

it('contain no email, and every line is one JSON object', () => {
  for (const program of [api, worker]) {
    expect(linesOf(program, {}).length).toBeGreaterThan(1);
    expect(program.log).not.toContain('example.org');
  }
});
