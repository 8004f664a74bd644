import { key, organization } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { importRows, sale } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const ROWS = 300;
const MOST_PER_ROW = 10;
const TABLES = ['bookings', 'start_list_entries', 'import_rows'];

/** Of each table, the rows that ended connections read: a connection adds them to the statistics when it ends. */
const read = async (): Promise<number[]> =>
  eventually(async () => {
    const [{ open }] = await api.dataSource.query(
      `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'startline worker'`,
    );
    if (open > 0) return undefined;
    const rows = await api.dataSource.query(
      `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM unnest($1::text[]) WITH ORDINALITY given (name, place)
       JOIN pg_stat_user_tables ON relname = name ORDER BY place`,
      [TABLES],
    );
    return rows.map((row: { read: number }) => row.read);
  });

async function imported(count: number): Promise<void> {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const { row } = await sale({ ...api, organizationId });
  const rows = Array.from({ length: count }, () => row());
  // Only the import reads.
  const worker = await startWorker(api, {
    IMPORT_CHUNK_ROWS: '20',
    MAINTENANCE_MS: '600000',
  });
  try {
    const job = await importRows(api, 'bookings/import', { bookings: rows }, { token });
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: count });
  } finally {
    await worker.close();
  }
}

it('reads a few rows for each of an import, also of an organization that the statistics do not know', async () => {
  await imported(ROWS);
  for (const table of TABLES) await api.dataSource.query(`ANALYZE ${table}`);
  const before = await read();
  await imported(ROWS);
  const after = await read();
  const perRow = after.map((count, i) => (count - (before[i] as number)) / ROWS);
  expect(perRow.filter((count) => count > MOST_PER_ROW)).toEqual([]);
});
