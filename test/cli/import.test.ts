import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { booking } from '#libs/testing';
import type { TestApi } from '../harness';
import { startApi, startWorker } from '../harness';
import { importRows } from '../imports/import';
import { type CommandLine, commandLine } from './startline';

let api: TestApi;
let worker: INestApplicationContext;
let cli: CommandLine;
let slug: string;
beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api);
  cli = await commandLine(api.databaseUrl);
  [{ slug }] = await api.dataSource.query('SELECT slug FROM organizations WHERE id = $1', [
    api.organizationId,
  ]);
});
afterAll(async () => {
  await cli.close();
  await worker.close();
  await api.close();
});

let serial = 0;
const credit = () => ({
  externalCreditId: `credit-${++serial}`,
  email: `credit-${serial}@example.com`,
  amount: { value: 100, currencyCode: 'GBP' },
});
const importCredits = (credits: object[]) => importRows(api, 'credits/import', { credits });
/** Fails imports of credits until the returned function is called. */
async function refuseCredits(): Promise<() => Promise<unknown>> {
  await api.home.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
  );
  await api.home.query(
    'CREATE TRIGGER refuse BEFORE INSERT ON credits FOR EACH ROW EXECUTE FUNCTION refuse()',
  );
  return () => api.home.query('DROP FUNCTION refuse CASCADE');
}

describe('import list', () => {
  it('lists the jobs of an organization, newest first', async () => {
    const first = await importCredits([credit(), credit()]);
    const second = await importCredits([credit()]);
    const { code, answer } = await cli.run('import', 'list', '--organization', slug, '--limit', '2');
    expect(code).toBe(0);
    expect(answer).toMatchObject([
      { jobId: second.jobId, surface: 'creditsImport', status: 'COMPLETED', totalRows: 1, processedRows: 1 },
      { jobId: first.jobId, totalRows: 2, succeededRows: 2 },
    ]);
    const { stdout } = await cli.say('import', 'list', '--organization', slug, '--status', 'COMPLETED');
    expect(stdout).toMatch(/ID +SURFACE +STATUS/);
    expect(stdout).toContain(first.jobId);
    const none = await cli.say('import', 'list', '--organization', slug, '--surface', 'bookingsImport');
    expect(none.stdout).toBe('No import job matches.\n');
  });

  it('refuses invalid organizations, surfaces and counts', async () => {
    const list = (...words: string[]) => cli.run('import', 'list', '--organization', slug, ...words);
    expect((await cli.run('import', 'list', '--organization', 'nobody')).answer.error).toBe('NOT_FOUND');
    expect((await list('--surface', 'nothing')).answer.error).toBe('INVALID_COMMAND');
    expect((await list('--limit', '0')).answer.error).toBe('INVALID_COMMAND');
  });
});

describe('import show and retry', () => {
  it('show the failed rows, and retry them', async () => {
    const allow = await refuseCredits();
    const { jobId } = await importCredits([credit(), credit()]);
    const before = await cli.run('import', 'show', jobId);
    expect(before.answer).toMatchObject({
      status: 'COMPLETED',
      failedRows: 2,
      errors: [{ row: 0, code: 'INTERNAL', externalId: `credit-${serial - 1}` }, { row: 1 }],
    });
    const said = await cli.say('import', 'show', jobId);
    expect(said.stdout).toContain(
      '2 of 2 rows done, 0 imported, 0 already imported, 0 cancelled before, 2 failed',
    );
    expect(said.stdout).toContain('INTERNAL');
    for (const command of ['show', 'retry']) {
      const followed = await cli.run('import', command, jobId, '--follow');
      expect(followed).toMatchObject({ code: 1, answer: { error: 'INVALID_ROWS', jobId, failedRows: 2 } });
    }
    await allow();
    const { code, answer } = await cli.run('import', 'retry', jobId, '--follow');
    expect(code).toBe(0);
    expect(answer).toMatchObject({ status: 'COMPLETED', succeededRows: 2, failedRows: 0, errors: [] });
    expect((await api.get(`/v0/credits/import/${jobId}`)).body).toMatchObject({
      status: 'COMPLETED',
      succeededRows: 2,
      failedRows: 0,
      errors: [],
    });
    // No rows are left: it finishes again at once, and imports nothing twice.
    expect((await cli.run('import', 'retry', jobId, '--follow')).answer).toMatchObject({ succeededRows: 2 });
    const [{ count }] = await api.dataSource.query(
      'SELECT count(*)::int FROM credits WHERE external_credit_id = ANY ($1)',
      [[`credit-${serial - 1}`, `credit-${serial}`]],
    );
    expect(count).toBe(2);
  });

  it('shows rows with warnings', async () => {
    const of = await booking(api.dataSource, { organizationId: api.organizationId, totalValue: '0' });
    const amount = { value: -100, currencyCode: 'GBP' };
    const lineItems = [
      { bookingId: of.id, externalLineItemId: 'too-much', itemType: 'REFUND', name: 'Refund', amount },
    ];
    const { jobId } = await importRows(api, 'bookings/line-items/import', { lineItems });
    const { answer } = await cli.run('import', 'show', jobId);
    const warnings = [
      expect.objectContaining({ row: 0, code: 'REFUND_EXCEEDS_PAID', externalId: 'too-much' }),
    ];
    expect(answer).toMatchObject({ succeededRows: 1, warnedRows: 1, errors: [], warnings });
    const { stdout } = await cli.say('import', 'show', jobId);
    expect(stdout).toMatch(/0 failed, 1 with warnings\.[\s\S]*too-much +The refunds of the booking exceed/);
  });

  it('reject an unknown job and an unfinished job', async () => {
    await worker.close();
    const { body } = await api.send('POST', '/v0/credits/import', { credits: [credit()] });
    const refused = await cli.run('import', 'retry', body.jobId);
    expect(refused).toMatchObject({ code: 1, answer: { error: 'REFUSED' } });
    expect((await cli.run('import', 'show', body.jobId)).answer).toMatchObject({
      status: 'QUEUED',
      processedRows: 0,
    });
    worker = await startWorker(api);
    const { answer, stderr } = await cli.run('import', 'show', body.jobId, '--follow');
    expect(answer).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
    // Not a terminal: no progress bar.
    expect(stderr).toBe('');
    for (const id of ['nonsense', '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b']) {
      expect((await cli.run('import', 'show', id)).answer.error).toBe('NOT_FOUND');
      expect((await cli.run('import', 'retry', id)).answer.error).toBe('NOT_FOUND');
    }
  });
});

describe('import cancel and discard', () => {
  /** A job that cannot finish, because its rows cannot be written. */
  async function open(): Promise<{ jobId: string; release: () => Promise<unknown> }> {
    const client = new Client({ connectionString: api.databaseUrl });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE credits IN SHARE MODE');
    const { body } = await api.send('POST', '/v0/credits/import', { credits: [credit(), credit()] });
    return { jobId: body.jobId, release: () => client.end() };
  }

  it('end an open job, and report its remaining rows as not reached', async () => {
    const { jobId, release } = await open();
    const { code, answer } = await cli.run('import', 'cancel', jobId);
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      status: 'FAILED',
      processedRows: 0,
      failure: expect.stringContaining('cancelled'),
    });
    await release();
    const { body: job } = await api.get(`/v0/credits/import/${jobId}`);
    expect(job).toMatchObject({ status: 'FAILED', processedRows: 0 });
    expect(job.results.map(({ error }: any) => error.code)).toEqual(['NOT_REACHED', 'NOT_REACHED']);
    const { body: rows } = await api.get(`/v0/import-jobs/${jobId}/rows`);
    expect(rows.data.map(({ error }: any) => error.code)).toEqual(['NOT_REACHED', 'NOT_REACHED']);
    const again = await cli.run('import', 'cancel', jobId);
    expect([again.code, again.answer.error]).toEqual([1, 'REFUSED']);
    expect((await cli.run('import', 'retry', jobId, '--follow')).answer).toMatchObject({
      status: 'COMPLETED',
      succeededRows: 2,
    });
  });

  it('delete the payload of rows, and keep their outcomes', async () => {
    const { jobId, release } = await open();
    await cli.run('import', 'cancel', jobId);
    const done = await importCreditsLater(release);
    for (const id of [jobId, done]) {
      const { code } = await cli.run('import', 'discard', id);
      expect(code).toBe(0);
      const [{ left }] = await api.dataSource.query(
        `SELECT count(*) FILTER (WHERE payload <> '{}')::int AS left FROM import_rows WHERE job_id = $1`,
        [id],
      );
      expect(left).toBe(0);
    }
    // Nothing is left that a retry could process.
    expect((await api.send('POST', `/v0/import-jobs/${jobId}/retry`, undefined)).body).toMatchObject({
      ...{ status: 'FAILED', processedRows: 0 },
    });
    const { body } = await api.get(`/v0/credits/import/${done}`);
    expect(body).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
    expect(body.results[0].creditId).toEqual(expect.any(String));
  });

  async function importCreditsLater(release: () => Promise<unknown>): Promise<string> {
    await release();
    return (await importCredits([credit()])).jobId;
  }
});
