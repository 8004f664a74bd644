import { ticket } from '#libs/testing';
import { ChunkSize } from '../../libs/domain/imports/src/chunk-size';
import { startApi, startWorker, type TestApi } from '../harness';
import { finished } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const person = (i: number) => ({ firstName: 'Ada', lastName: `${i}`, email: `runner-${i}@example.com` });

async function bookings(count: number, participants: number) {
  const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, {
    organizationId: api.organizationId,
  });
  return Array.from({ length: count }, (_, i) => ({
    externalBookingId: `${eventOccurrenceId}/${i}`,
    eventOccurrenceId,
    booker: person(i),
    participants: Array.from({ length: participants }, (_, j) => ({ ...person(j), ticketId })),
  }));
}

const post = async (body: object): Promise<string> => {
  const { body: job, text } = await api.send('POST', '/v0/bookings/import', body);
  if (!job.jobId) throw new Error(text);
  return job.jobId;
};

/** Processes a job, and records the writes of each transaction. */
async function worked(jobId: string, settings: Record<string, string>) {
  const worker = await startWorker(api, settings);
  const job = await finished(api, 'bookings/import', jobId).finally(() => worker.close());
  const written: { entries: number }[] = await api.dataSource.query(
    `SELECT count(*)::int AS entries FROM start_list_entries e WHERE e.metadata->>'importJobId' = $1
       OR e.metadata->'startline'->>'importJobId' = $1 GROUP BY xmin`,
    [jobId],
  );
  return { job, chunks: written.map(({ entries }) => entries) };
}

describe('a transaction of an import', () => {
  it('is limited by the number of entries that it writes, not by rows', async () => {
    const jobId = await post({ bookings: await bookings(12, 50) });
    const { job, chunks } = await worked(jobId, { STARTLINE_TEST_IMPORT_CHUNK_ROWS: '120' });
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 12 });
    expect(chunks.reduce((sum, entries) => sum + entries)).toBe(600);
    expect(Math.max(...chunks)).toBeLessThanOrEqual(120);
  });

  it('accepts one row that exceeds the limit', async () => {
    const jobId = await post({ bookings: await bookings(3, 20) });
    const { job, chunks } = await worked(jobId, { STARTLINE_TEST_IMPORT_CHUNK_ROWS: '10' });
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 3 });
    expect(chunks).toEqual([20, 20, 20]);
  });

  it('is limited by the bytes that it reads', async () => {
    const jobId = await post({ bookings: await bookings(8, 5) });
    const [{ bytes }] = await api.dataSource.query(
      'SELECT max(octet_length(payload::text)) AS bytes FROM import_rows WHERE job_id = $1',
      [jobId],
    );
    const { job, chunks } = await worked(jobId, { STARTLINE_TEST_IMPORT_CHUNK_BYTES: `${2 * bytes}` });
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 8 });
    expect(Math.max(...chunks)).toBeLessThanOrEqual(10);
  });

  it.each([
    ['with numbers of 131,072 digits', "'1e131071'", 9_000],
    ['with numbers of 16,383 decimals', "'1e-16383'", 9_000],
    ['with zeros of 16,383 decimals', "'0e-16383'", 1_000],
    ['with a long string', `('"' || repeat('x', 5000000) || '"')`, 1],
  ])(
    'never fetches a row that renders larger than the limit, %s: only that row fails',
    async (_name, value, count) => {
      const jobId = await post({ bookings: await bookings(5, 1) });
      // Such a row cannot be posted, so it replaces an accepted row in the database.
      await api.dataSource.query(
        `UPDATE import_rows SET payload = jsonb_set(payload, '{tracking}', (
         SELECT jsonb_build_object('n', jsonb_agg(${value}::jsonb)) FROM generate_series(1, $2)))
       WHERE job_id = $1 AND row_number = 2`,
        [jobId, count],
      );
      const { job } = await worked(jobId, {});
      expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 4, failedRows: 1 });
      expect(job.errors).toMatchObject([{ row: 2, code: 'INTERNAL' }]);
    },
  );
});

describe('transaction size', () => {
  it('grows step by step to its maximum while transactions are fast, and shrinks in proportion to their duration', () => {
    const size = new ChunkSize(2_500, 400);
    const sizes = Array.from({ length: 4 }, () => {
      size.took(size.entries, 10);
      return size.entries;
    });
    expect(sizes).toEqual([1_000, 2_000, 2_500, 2_500]);
    size.took(2_500, 1_000);
    expect(size.entries).toBe(1_000);
  });

  it('does not shrink to few rows on a busy machine, and grows again after a row that failed', () => {
    const size = new ChunkSize(1_000, 400);
    size.took(500, 60_000);
    expect(size.entries).toBe(500);
    for (let n = 0; n < 9; n++) size.halve(size.entries);
    expect(size.entries).toBe(1);
    const sizes = Array.from({ length: 10 }, () => {
      size.took(size.entries, 60_000);
      return size.entries;
    });
    expect(sizes).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 500, 500]);
  });

  it('stays at half of what took too long, while it is slow', () => {
    const size = new ChunkSize(1_000, 400);
    size.halve(500, true);
    const sizes = [600, 600, 10].map((ms) => {
      size.took(size.entries, ms);
      return size.entries;
    });
    expect(sizes).toEqual([250, 250, 500]);
  });

  it('halves down to one', () => {
    const size = new ChunkSize(1_000, 400);
    const sizes = Array.from({ length: 9 }, () => {
      size.halve(size.entries);
      return size.entries;
    });
    expect(sizes).toEqual([250, 125, 62, 31, 15, 7, 3, 1, 1]);
  });
});
