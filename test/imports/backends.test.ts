import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { describeWithRedis, discountCode, type TestRedis, testRedis, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { JobProducer } from '#platform/queues';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { errorsOf, finished, importRows } from './import';

const PATH = 'bookings/import';

describe('imports whose queues are in PostgreSQL', () => importsAlike(async () => undefined));
describeWithRedis()('imports whose queues are in Redis', () => importsAlike(testRedis));

function importsAlike(startRedis: () => Promise<TestRedis | undefined>) {
  let redis: TestRedis | undefined;
  let api: TestApi;
  let workers: INestApplicationContext[] = [];
  const start = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_ROWS: '10', ...(redis && { REDIS_URL: redis.url }) }),
      ),
    );
  beforeAll(async () => {
    redis = await startRedis();
    api = await startApi(redis && { REDIS_URL: redis.url });
    workers = await start(2);
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await api.close();
    await redis?.stop();
  });

  let serial = 0;
  async function batch(length: number, given: object = {}) {
    const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, {
      organizationId: api.organizationId,
    });
    const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    const bookings = Array.from({ length }, () => ({
      externalBookingId: `order-${++serial}`,
      eventOccurrenceId,
      booker: person,
      participants: [{ ...person, ticketId }],
      ...given,
    }));
    return { bookings };
  }

  it('process each row once, also if the same batch is posted twice concurrently', async () => {
    const body = await batch(60);
    const jobs = await Promise.all([importRows(api, PATH, body), importRows(api, PATH, body)]);
    expect(jobs.map(({ status, failedRows }) => [status, failedRows])).toEqual([
      ['COMPLETED', 0],
      ['COMPLETED', 0],
    ]);
    expect(jobs.reduce((sum, { succeededRows }) => sum + succeededRows, 0)).toBe(60);
  });

  it('accept jobs with a delay of fractions of a millisecond', async () => {
    const [worker] = workers as [INestApplicationContext];
    const queue = worker.get<Queue>(getQueueToken('webhooks'), { strict: false });
    const endpoint = { organizationId: api.organizationId, endpointId: newId() };
    worker.get(JobProducer, { strict: false }).enqueueLater('webhooks', endpoint, 3_600_000.25);
    await eventually(async () => (await queue.getDelayedCount()) === 1);
  });

  it('keep limits under concurrency', async () => {
    const { code } = await discountCode(api.dataSource, {
      organizationId: api.organizationId,
      limitUsage: 7,
    });
    const bodies = await Promise.all([1, 2, 3, 4].map(() => batch(5, { discountCode: code })));
    const jobs = await Promise.all(bodies.map((body) => importRows(api, PATH, body)));
    expect(jobs.reduce((sum, { succeededRows }) => sum + succeededRows, 0)).toBe(7);
    expect(new Set(jobs.flatMap(errorsOf).map(([, error]) => error))).toEqual(
      new Set(['DISCOUNT_LIMIT_REACHED']),
    );
  });

  it('wait for a worker, and are processed when one starts', async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    const { body } = await api.send('POST', `/v0/${PATH}`, await batch(30));
    expect((await api.get(`/v0/${PATH}/${body.jobId}`)).body.status).toBe('QUEUED');
    workers = await start(1);
    expect(await finished(api, PATH, body.jobId)).toMatchObject({ status: 'COMPLETED', succeededRows: 30 });
  });

  it('are found by the sweeper if the queue never received them', async () => {
    const [first] = (await batch(1)).bookings;
    const organizationId = api.organizationId;
    const [{ id }] = await api.dataSource.query(
      `INSERT INTO import_jobs (organization_id, id, surface, mode, total_rows)
       VALUES ($1, uuid_v7(), 'bookingsImport', 'CREATE', 1) RETURNING id`,
      [organizationId],
    );
    await api.dataSource.query(
      'INSERT INTO import_rows (organization_id, job_id, row_number, external_id, payload) VALUES ($1, $2, 0, $3, $4)',
      [organizationId, id, first?.externalBookingId, first],
    );
    const job = await eventually(async () => {
      const { body } = await api.get(`/v0/${PATH}/${id}`);
      return body.status === 'COMPLETED' && body;
    });
    expect(job.succeededRows).toBe(1);
  });
}
