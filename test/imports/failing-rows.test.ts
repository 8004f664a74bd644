import { startApi, startWorker, type TestApi } from '../harness';
import { errorsOf, finished, sale } from './import';

/** Every turn ends with its first transaction. */
const SHORT_TURNS = { STARTLINE_TEST_IMPORT_TURN_MS: '1' };

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const trigger = (timing: string, body: string) => `
  CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$;
  CREATE ${timing} ON start_list_entries FOR EACH ROW EXECUTE FUNCTION refuse()`;

afterEach(() => api.dataSource.query('DROP TRIGGER IF EXISTS refuse ON start_list_entries'));

/** Imports `count` bookings, of which those with these numbers have the tag `refused`, by a worker with these settings. */
async function imported(count: number, refused: number[], settings: Record<string, string>, query = '') {
  const { row, participant } = await sale(api);
  const bookings = Array.from({ length: count }, (_, i) =>
    row({ participants: [participant({ tags: refused.includes(i) ? ['refused'] : [] })] }),
  );
  const { body } = await api.send('POST', `/v0/bookings/import${query}`, { bookings });
  const worker = await startWorker(api, settings);
  return finished(api, 'bookings/import', body.jobId).finally(() => worker.close());
}

const refusing = (code: string) =>
  `IF 'refused' = ANY (NEW.tags) THEN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END IF;`;

describe('rows that PostgreSQL refuses', () => {
  it.each([
    ['with an unexpected error', 'TRIGGER refuse BEFORE INSERT', '54000'],
    ['at the commit', 'CONSTRAINT TRIGGER refuse AFTER INSERT', '23503'],
  ])('fail, and all others are imported, if a turn has one transaction: %s', async (_how, timing, code) => {
    const deferred = timing.startsWith('CONSTRAINT') ? ' DEFERRABLE INITIALLY DEFERRED' : '';
    await api.dataSource.query(trigger(timing, refusing(code)).replace(' FOR EACH', `${deferred} FOR EACH`));
    const job = await imported(8, [2, 3, 7], SHORT_TURNS);
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 5, failedRows: 3 });
    expect(errorsOf(job)).toEqual([
      [2, 'INTERNAL'],
      [3, 'INTERNAL'],
      [7, 'INTERNAL'],
    ]);
    const [{ written }] = await api.dataSource.query(
      `SELECT count(*)::int AS written FROM start_list_entries e
       WHERE e.metadata->'startline'->>'importJobId' = $1`,
      [job.jobId],
    );
    expect(written).toBe(5);
  });

  it('fail after repeated conflicts, if a turn has one transaction', async () => {
    await api.dataSource.query(trigger('TRIGGER refuse BEFORE INSERT', refusing('23505')));
    const job = await imported(2, [1], SHORT_TURNS);
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 1, failedRows: 1 });
    expect(errorsOf(job)).toEqual([[1, 'INTERNAL']]);
  });

  it('are written if a repeated transaction has no conflict any more', async () => {
    // The number of attempts outlives their rollback.
    await api.dataSource.query('CREATE SEQUENCE attempts; GRANT USAGE ON SEQUENCE attempts TO PUBLIC');
    const conflict = `IF nextval('attempts') < 3 THEN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END IF;`;
    await api.dataSource.query(trigger('TRIGGER refuse BEFORE INSERT', conflict));
    const job = await imported(1, [], SHORT_TURNS);
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 1, failedRows: 0 });
  });

  it('fail in a dry run, and a job of two rows ends', async () => {
    await api.dataSource.query(trigger('TRIGGER refuse BEFORE INSERT', refusing('54000')));
    const job = await imported(2, [1], SHORT_TURNS, '?dryRun=true');
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 1, failedRows: 1 });
  });

  it('are imported by a retry as soon as PostgreSQL accepts them', async () => {
    await api.dataSource.query(trigger('TRIGGER refuse BEFORE INSERT', refusing('54000')));
    const { jobId } = await imported(6, [0, 5], SHORT_TURNS);
    await api.dataSource.query('DROP TRIGGER refuse ON start_list_entries');
    await api.send('POST', `/v0/import-jobs/${jobId}/retry`, {});
    const worker = await startWorker(api, SHORT_TURNS);
    const job = await finished(api, 'bookings/import', jobId).finally(() => worker.close());
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 6, failedRows: 0 });
  });
});

describe('rows that PostgreSQL writes slowly', () => {
  it('are imported, one by one if they must, although a turn has one transaction', async () => {
    await api.dataSource.query(trigger('TRIGGER refuse BEFORE INSERT', 'PERFORM pg_sleep(0.15);'));
    // A transaction of two rows takes longer than a statement of 200 ms.
    const job = await imported(6, [], { ...SHORT_TURNS, STARTLINE_TEST_IMPORT_CHUNK_MS: '100' });
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 6, failedRows: 0 });
  });
});
