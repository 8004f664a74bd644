import type { DataSource } from 'typeorm';
import { organization, type TestDatabase, testDatabase } from '#libs/testing';
import { createDataSource, Database, newId, statement } from '#platform/database';
import { eventually } from '../harness';

let database: TestDatabase;
let dataSource: DataSource;
let connections: Database;
let organizationId: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  // One connection, so that every execution is on the same.
  dataSource = await createDataSource({
    url: database.url,
    applicationName: 'test',
    poolSize: 1,
  }).initialize();
  connections = new Database(dataSource);
  ({ id: organizationId } = await organization(dataSource));
});
afterEach(() => dataSource.destroy());

/** The kinds of messages that PostgreSQL sends during `work`. */
async function messagesDuring(work: () => Promise<unknown>): Promise<string[]> {
  const client = await connections.pool.connect();
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  const names: string[] = [];
  const listen = ({ name }: { name: string }) => names.push(name);
  connection.on('message', listen);
  client.release();
  await work();
  connection.off('message', listen);
  return names;
}

const VALUES = statement({
  parameters: ['text', 'timestamptz', 'uuid[]', 'bytea'],
  columns: {
    text: 'text',
    at: 'timestamptz',
    ids: 'uuid[]',
    bytes: 'bytea',
    nothing: 'text?',
    json: 'jsonb',
  },
  sql: `SELECT $1::text AS text, $2::timestamptz AS at, $3::uuid[] AS ids, $4::bytea AS bytes, NULL::text AS nothing, '{"a": [1]}'::jsonb AS json`,
  prepared: true,
});

it('a connection describes the columns of a prepared statement once', async () => {
  const at = new Date();
  const ids = [newId(), newId()];
  const bytes = Buffer.from([0, 255]);
  const row = { text: 'ü', at, ids, bytes, nothing: null, json: { a: [1] } };
  const read = () => VALUES.one(connections.of(organizationId), ['ü', at, ids, bytes]);
  expect(await read()).toEqual(row);
  const messages = await messagesDuring(async () => expect(await read()).toEqual(row));
  expect(messages).toContain('dataRow');
  expect(messages).not.toContain('rowDescription');
  // Also without an organization, and in a transaction.
  expect(await VALUES.one(connections, ['ü', at, ids, bytes])).toEqual(row);
  expect(await connections.transaction((manager) => VALUES.one(manager, ['ü', at, ids, bytes]))).toEqual(row);
});

it('rows of the same statement are objects, arrays of values, and arrays of texts', async () => {
  const text = 'SELECT 1 AS number, true AS yes, NULL AS nothing';
  const both = statement({
    columns: { number: 'int', yes: 'boolean', nothing: 'text?' },
    sql: text,
    prepared: true,
  });
  const of = connections.of(organizationId);
  for (const _ of 'ab') {
    expect(await both.rows(of)).toEqual([{ number: 1, yes: true, nothing: null }]);
    expect(await of.tuples(text)).toEqual([[1, true, null]]);
    const { columns, rows } = await of.table(text);
    expect(rows).toEqual([['1', 't', null]]);
    const names = ['number', 'yes', 'nothing'];
    expect(columns.map(({ name }) => name)).toEqual(names);
    const keep = (row: unknown[], of: readonly { name: string }[]) => [row, of.map(({ name }) => name)];
    expect(await of.each(text, [], keep)).toEqual([[['1', 't', null], names]]);
    const fail = () => {
      throw new Error('unknown type');
    };
    await expect(of.each(text, [], fail)).rejects.toThrow('unknown type');
  }
});

it('a result without rows has columns, and a change without columns has the number of its rows', async () => {
  const of = connections.of(organizationId);
  const NONE = 'SELECT id, name FROM partners WHERE organization_id = $1';
  const RENAME = statement({
    parameters: ['uuid', 'text'],
    sql: 'UPDATE organizations SET name = $2 WHERE id = $1',
    prepared: true,
  });
  for (const name of ['one', 'two']) {
    const { columns, rows } = await of.table(NONE, [organizationId]);
    expect([columns.length, rows.length]).toEqual([2, 0]);
    expect(await RENAME.run(connections, [organizationId, name])).toBe(1);
    expect(await RENAME.run(connections, [newId(), name])).toBe(0);
  }
});

const DIVISION = statement({
  parameters: ['int'],
  columns: { result: 'int' },
  sql: 'SELECT 6 / $1 AS result',
  prepared: true,
});

it('an error of an execution, of the text and of a value concerns only its own statement', async () => {
  const of = connections.of(organizationId);
  for (const _ of 'ab') {
    await expect(DIVISION.one(of, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await DIVISION.one(of, [2])).toEqual({ result: 3 });
    await expect(of.tuples('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
    await expect(of.tuples('SELECT $1::jsonb', [{ n: 1n }])).rejects.toThrow('BigInt');
    expect(await DIVISION.one(of, [3])).toEqual({ result: 2 });
  }
});

it('within a transaction, an error fails the statements after it until it is rolled back', async () => {
  const later = connections.transaction(async (manager) => {
    await DIVISION.one(manager, [0]).catch(() => {});
    return DIVISION.one(manager, [1]);
  });
  await expect(later).rejects.toMatchObject({ code: '25P02' });
  expect(await DIVISION.one(connections, [1])).toEqual({ result: 6 });
});

it('a statement whose columns a migration changed is refused once, and then has the new columns', async () => {
  const of = connections.of(organizationId);
  const all = () => of.table('SELECT * FROM migrated');
  await dataSource.query('CREATE TABLE migrated (a int)');
  await dataSource.query('INSERT INTO migrated VALUES (1)');
  try {
    expect((await all()).rows).toEqual([['1']]);
    await dataSource.query('ALTER TABLE migrated ADD COLUMN b text');
    await expect(all()).rejects.toThrow('cached plan must not change result type');
    const { columns, rows } = await all();
    expect(columns.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(rows).toEqual([['1', null]]);
  } finally {
    await dataSource.query('DROP TABLE migrated');
  }
});

const SLEEP = statement({ parameters: ['float8'], sql: 'SELECT pg_sleep($1)', prepared: true });

it('a statement that takes too long fails, and the next one does not', async () => {
  const of = connections.of(organizationId);
  await dataSource.query("SET statement_timeout = '100ms'");
  await expect(SLEEP.run(of, [60])).rejects.toMatchObject({ code: '57014' });
  expect(await DIVISION.one(of, [1])).toEqual({ result: 6 });
});

it('a statement whose connection ends fails, and the next one does not', async () => {
  const of = connections.of(organizationId);
  const slow = SLEEP.run(of, [60]).catch((error: Error) => error);
  const other = await createDataSource({ url: database.url, applicationName: 'other' }).initialize();
  await eventually(async () => {
    const ended = await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`,
    );
    return ended.length > 0;
  });
  await other.destroy();
  expect(await slow).toBeInstanceOf(Error);
  expect(await DIVISION.one(of, [2])).toEqual({ result: 3 });
});
