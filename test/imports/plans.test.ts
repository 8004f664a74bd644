import { discountCode, key, organization } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { sale } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const ROWS = 300;
const MOST_PER_ROW = 10;
const FIRST_ROWS = 1_500;
const MOST_BLOCKS_PER_ROW = 29;
const MOST_COMPARISONS_PER_ROW = 20;
const TABLES = ['bookings', 'start_list_entries', 'import_rows'];

/** Returns when all connections of workers have ended: a connection adds what it did to the statistics when it ends. */
const ended = () =>
  eventually(async () => {
    const [{ open }] = await api.dataSource.query(
      `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'startline worker'`,
    );
    return open === 0;
  });

/** What ended connections did, for each table. */
async function counted(what: string): Promise<number[]> {
  await ended();
  const rows = await api.dataSource.query(
    `SELECT (${what})::int AS count FROM unnest($1::text[]) WITH ORDINALITY given (name, place)
     JOIN pg_stat_user_tables s ON s.relname = name JOIN pg_statio_user_tables b USING (relid) ORDER BY place`,
    [TABLES],
  );
  return rows.map((row: { count: number }) => row.count);
}
const rowsRead = () => counted('seq_tup_read + idx_tup_fetch');
const indexBlocks = () => counted('idx_blks_hit + idx_blks_read');

async function imported(count: number, { chunk = 20, withCodes = false } = {}): Promise<void> {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const { row } = await sale({ ...api, organizationId });
  const rows = Array.from({ length: count }, () => row());
  if (withCodes)
    for (const each of rows)
      Object.assign(each, { discountCode: (await discountCode(api.dataSource, { organizationId })).code });
  // Only the import reads.
  const worker = await startWorker(api, {
    STARTLINE_TEST_IMPORT_CHUNK_ROWS: String(chunk),
    // A chunk that is too slow on a busy machine is tried again, and reads its rows again.
    STARTLINE_TEST_IMPORT_CHUNK_MS: '600000',
    STARTLINE_TEST_MAINTENANCE_MS: '600000',
  });
  try {
    const { body } = await api.send('POST', '/v0/bookings/import', { bookings: rows }, token);
    // The API would read all rows of the job for its results, as a whole table if that is cheaper.
    const job = await eventually(async () => {
      const [found] = await api.dataSource.query(
        `SELECT succeeded_rows FROM import_jobs WHERE id = $1 AND status = 'COMPLETED'`,
        [body.jobId],
      );
      return found;
    });
    expect(job.succeeded_rows).toBe(count);
  } finally {
    await worker.close();
  }
}

it('reads a few blocks of indexes for each row of the first import, which begins with empty tables', async () => {
  for (const table of TABLES)
    await api.dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  const before = await indexBlocks();
  await imported(FIRST_ROWS);
  const after = await indexBlocks();
  const perRow = after.map((count, i) => (count - (before[i] as number)) / FIRST_ROWS);
  // Without the plans, nine more.
  expect(perRow[TABLES.indexOf('bookings')]).toBeLessThan(MOST_BLOCKS_PER_ROW);
});

it('reads a few rows for each of an import, also of an organization that the statistics do not know', async () => {
  await imported(ROWS);
  for (const table of TABLES) await api.dataSource.query(`ANALYZE ${table}`);
  const before = await rowsRead();
  await imported(ROWS);
  const after = await rowsRead();
  const perRow = after.map((count, i) => (count - (before[i] as number)) / ROWS);
  const excessive = TABLES.flatMap((table, i) =>
    (perRow[i] ?? 0) > MOST_PER_ROW ? [`${table}: ${perRow[i]}`] : [],
  );
  expect(excessive).toEqual([]);
});

it('compares a discount code a few times for each row, however many codes a chunk has', async () => {
  const [{ name }] = await api.dataSource.query('SELECT quote_ident(current_database()) AS name');
  await api.dataSource.query(`ALTER DATABASE ${name} SET track_functions = 'pl'`);
  await imported(ROWS, { chunk: ROWS, withCodes: true });
  await ended();
  const [{ calls }] = await api.dataSource.query(
    `SELECT calls::int FROM pg_stat_user_functions WHERE funcname = 'compared'`,
  );
  expect(calls / ROWS).toBeLessThan(MOST_COMPARISONS_PER_ROW);
});
