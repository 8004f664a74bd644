import type { DataSource, QueryRunner } from 'typeorm';
import { copiesOf, organization, type TestDatabase, testDatabase, withDatabase } from '#libs/testing';
import { createDataSource, migrate } from '#platform/database';
import type { Migration } from '../../libs/platform/database/src/migrations';
import { pagingFixtures } from '../contract/paging-fixtures';
import { inspected } from './inspected';
import { Neighbours } from './neighbours';

/** One row per key and operation, which is lost when PostgreSQL restarts. */
const SMALL = ['rate_windows'];
const MANY = 1_500;

let database: TestDatabase;
let dataSource: DataSource;
let neighbours: Neighbours;
/** A database with the baseline and rows in every table; later migrations are applied by the test. */
beforeAll(async () => {
  database = await testDatabase();
  const [baseline] = createDataSource({ url: database.url, applicationName: 'test' }).options
    .migrations as unknown[];
  await withDatabase(database.url, (client) =>
    client.query(
      'DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA public_partner CASCADE; DROP SCHEMA bullmq CASCADE',
    ),
  );
  await migrate(database.url, { migrations: [baseline as never] });
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  const { id } = await organization(dataSource);
  for (const walkable of Object.values(await pagingFixtures(dataSource, id))) await walkable.add();
  await dataSource.query(
    `INSERT INTO start_list_entries ${copiesOf(
      'e',
      `jsonb_build_object('id', uuid_v7(), 'participant_id', uuid_v7())`,
      'FROM start_list_entries e, generate_series(1, $1::int) WHERE e.ctid = (SELECT ctid FROM start_list_entries LIMIT 1)',
    )}`,
    [MANY],
  );
  neighbours = new Neighbours(database.url);
});
afterAll(async () => {
  await neighbours?.stop();
  await dataSource?.destroy();
  await database?.drop();
});

/** The problems of a migration that runs while other connections read and write every table. */
async function wrongWith(migration: Migration): Promise<string[]> {
  const queryRunner = dataSource.createQueryRunner();
  try {
    await neighbours.start();
    const wrong = await inspected(queryRunner, migration, SMALL);
    return [...wrong, ...(await neighbours.goOn())];
  } finally {
    await queryRunner.release();
  }
}

describe('migrations after the baseline', () => {
  it('do not block requests, on filled tables in use', async () => {
    const found: Record<string, string[]> = {};
    for (const migration of dataSource.migrations.slice(1))
      found[migration.constructor.name] = await wrongWith(migration);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  });
});

const sample = (sql: string | string[], transaction?: false): Migration => ({
  transaction,
  up: async (queryRunner: QueryRunner) => {
    for (const text of [sql].flat()) await queryRunner.query(text);
  },
});

describe('the check of migrations', () => {
  it.each([
    [
      'an index is built',
      'CREATE INDEX sample_1 ON bookings (booker_last_name)',
      ['builds sample_1 while writers wait', 'reads the rows of bookings while writers wait for bookings'],
    ],
    [
      'a column’s default differs by row',
      'ALTER TABLE bookings ADD COLUMN sample_2 uuid DEFAULT gen_random_uuid()',
      ['writes the table bookings anew'],
    ],
    [
      'a column gets another type',
      'ALTER TABLE credits ALTER COLUMN reason TYPE varchar(500)',
      ['writes the table credits anew'],
    ],
    [
      'a constraint is checked at once',
      'ALTER TABLE line_items ADD CONSTRAINT sample_3 CHECK (amount_value < 1000000000000)',
      ['reads the rows of line_items while writers wait for line_items'],
    ],
    [
      'a column becomes not null',
      'ALTER TABLE bookings ALTER COLUMN external_booking_id SET NOT NULL',
      ['reads the rows of bookings while writers wait for bookings'],
    ],
    [
      'a table is locked while another is updated',
      [
        'ALTER TABLE tickets ADD COLUMN sample_4 text',
        'UPDATE partners SET name = name WHERE id = (SELECT id FROM partners LIMIT 1)',
      ],
      ['reads the rows of partners while writers wait for tickets'],
    ],
    [
      'two tables are locked',
      ['ALTER TABLE races ADD COLUMN sample_13 text', 'ALTER TABLE waves ADD COLUMN sample_13 text'],
      ['stops races and waves in one transaction'],
    ],
    [
      'every row is written at once',
      'UPDATE start_list_entries SET updated_at = now()',
      ['writes more than 1000 rows of start_list_entries in one transaction'],
    ],
  ])('rejects when %s', async (_, sql, wrong) => {
    expect(await wrongWith(sample(sql))).toEqual(expect.arrayContaining(wrong));
  });

  it('rejects outside a transaction as well', async () => {
    const sql = [
      'CREATE INDEX CONCURRENTLY sample_5 ON bookings (booker_phone)',
      'CREATE INDEX sample_6 ON partners (name)',
    ];
    expect(await wrongWith(sample(sql, false))).toEqual(
      expect.arrayContaining(['builds sample_6 while writers wait']),
    );
  });

  it.each([
    [
      'columns that are empty or all the same, and a constraint that isn’t checked yet',
      [
        'ALTER TABLE bookings ADD COLUMN sample_8 text, ADD COLUMN sample_9 int NOT NULL DEFAULT 0',
        'ALTER TABLE bookings ADD CONSTRAINT sample_10 CHECK (sample_9 >= 0) NOT VALID',
      ],
    ],
    [
      'a new table with a foreign key',
      [
        'CREATE TABLE sample_11 (organization_id uuid NOT NULL REFERENCES organizations, id bigint PRIMARY KEY)',
        'CREATE INDEX ON sample_11 (organization_id)',
      ],
    ],
  ])('accepts %s', async (_, sql) => {
    expect(await wrongWith(sample(sql))).toEqual([]);
  });

  it('accepts migrations that do not block requests', async () => {
    const sql = [
      'CREATE INDEX CONCURRENTLY sample_12 ON bookings (booker_email)',
      'ALTER TABLE bookings VALIDATE CONSTRAINT sample_10',
      `UPDATE start_list_entries SET updated_at = now() WHERE id IN (SELECT id FROM start_list_entries LIMIT 1000)`,
    ];
    expect(await wrongWith(sample(sql, false))).toEqual([]);
  });

  it('detects that other sessions failed meanwhile', async () => {
    expect(await wrongWith(sample('ALTER TABLE waves RENAME TO sample_7'))).toEqual(
      expect.arrayContaining([expect.stringContaining('waves')]),
    );
  });
});
