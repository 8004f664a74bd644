import { Client } from 'pg';
import { statement } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await sharedApi();
  client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await api.close();
});

const numbers = Array.from({ length: 700 }, (_, n) =>
  statement({
    columns: { n: 'int', is_one: 'int' },
    sql: `SELECT ${n} AS n, 1 / $1::int AS is_one`,
    parameters: ['int'],
    prepared: true,
  }),
);
const ask = async (n: number, divisor = 1) => (await numbers[n]?.rows(client, [divisor]))?.[0]?.n;
const prepared = async (): Promise<string[]> =>
  (
    await client.query("SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%is_one%'")
  ).rows.map((row) => row.statement);

/** A list has a text for each set of its filters: without a bound, one key fills the memory of PostgreSQL and of the process with plans. */
it('keeps the 500 statements prepared that a connection used last', async () => {
  for (let n = 0; n < numbers.length; n++) {
    expect(await ask(n)).toBe(n);
    expect(await ask(0)).toBe(0);
  }
  const left = await prepared();
  expect(left).toHaveLength(500);
  expect(left).toContain('SELECT 0 AS n, 1 / $1::int AS is_one');
  expect(left).not.toContain('SELECT 1 AS n, 1 / $1::int AS is_one');
});

it('makes room also in a transaction that has failed', async () => {
  await client.query('BEGIN');
  await expect(ask(1, 0)).rejects.toThrow('division by zero');
  await expect(ask(2)).rejects.toThrow('current transaction is aborted');
  await client.query('ROLLBACK');
  for (const n of [2, 1, 3]) expect(await ask(n)).toBe(n);
  expect((await prepared()).length).toBeLessThanOrEqual(500);
});
