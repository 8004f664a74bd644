import { Client } from 'pg';
import { type TestDatabase, testDatabase, withDatabase } from '#libs/testing';
import { migrate, schemaDrift } from '#platform/database';

const ORIGINAL_QUERY = Client.prototype.query;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const query = <Row>(sql: string): Promise<Row[]> =>
  withDatabase(database.url, async (client) => (await client.query(sql)).rows as Row[]);

describe('the schema', () => {
  it('matches the entities', async () => {
    expect(await schemaDrift(database.url)).toEqual([]);
  });

  it('is compared without concurrent queries on one connection, which pg will reject', async () => {
    const query = jest.spyOn(Client.prototype, 'query');
    const waiting: number[] = [];
    query.mockImplementation(function (this: { queue?: unknown[] }, ...asked: unknown[]) {
      waiting.push((this as unknown as { _queryQueue: unknown[] })._queryQueue.length);
      return Reflect.apply(ORIGINAL_QUERY, this, asked);
    } as never);
    await schemaDrift(database.url);
    expect(waiting.length).toBeGreaterThan(5);
    expect(Math.max(...waiting)).toBe(0);
    query.mockRestore();
  });

  it('is reported if it differs from the entities', async () => {
    await query('ALTER TABLE partners ADD COLUMN forgotten text');
    expect(await schemaDrift(database.url)).not.toEqual([]);
    await query('ALTER TABLE partners DROP COLUMN forgotten');
  });

  it('can be migrated by many processes at once, and again', async () => {
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(await schemaDrift(database.url)).toEqual([]);
  });

  it('starts every key of tenant tables with organization_id', async () => {
    const keys = await query<{ name: string; kind: string; first: string }>(`
      SELECT c.conname AS name, c.contype AS kind, a.attname AS first
      FROM pg_constraint c
      JOIN pg_class t ON t.oid = c.conrelid AND t.relnamespace = 'public'::regnamespace
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype IN ('p', 'f', 'u') AND EXISTS (
        SELECT FROM pg_attribute o WHERE o.attrelid = c.conrelid AND o.attname = 'organization_id' AND NOT o.attisdropped)`);
    expect(keys.length).toBeGreaterThan(60);
    expect(keys.filter(({ first }) => first !== 'organization_id')).toEqual([]);
  });

  it('has a trigger for every updated_at', async () => {
    const untimed = await query<{ table_name: string }>(`
      SELECT c.table_name FROM information_schema.columns c
      JOIN information_schema.tables known ON (known.table_schema, known.table_name, known.table_type) = (c.table_schema, c.table_name, 'BASE TABLE')
      WHERE c.table_schema = 'public' AND c.column_name = 'updated_at' AND NOT EXISTS (
        SELECT FROM pg_trigger t WHERE t.tgrelid = c.table_name::regclass AND t.tgname = 'keep_times_on_update')`);
    expect(untimed).toEqual([]);
  });
});
