import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '#libs/testing';
import { documentedSql } from './documented';

/**
 * The requirements of Citus for tables that are distributed by organization, compared with the current schema. Citus
 * itself is not tested: whether it accepts the statements is only known where it runs.
 */

const sql = documentedSql('The statements');
const DISTRIBUTED = [...sql.matchAll(/create_distributed_table\('(\w+)', 'organization_id'/g)].map(
  ([, table]) => table as string,
);
const REFERENCE = [...sql.matchAll(/create_reference_table\('(\w+)'\)/g)].map(([, table]) => table as string);
/** Named there, with the reason and the solution. */
const LOCAL = ['schema_migrations', 'search_vocabulary', 'rate_windows', 'workers'];

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const ask = async <Row>(text: string): Promise<Row[]> => (await client.query(text)).rows as Row[];

it('every table is distributed, a reference table, or local, as the guide states', async () => {
  const tables = await ask<{ name: string; owned: boolean }>(`
    SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND a.attnotnull) AS owned
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`);
  const owned = tables.filter(({ owned }) => owned).map(({ name }) => name);
  const others = tables.filter(({ owned }) => !owned).map(({ name }) => name);
  expect([...DISTRIBUTED].sort()).toEqual(owned.sort());
  expect([...REFERENCE, ...LOCAL].sort()).toEqual(others.sort());
});

it('every unique index of a distributed table has organization_id', async () => {
  const indexes = await ask<{ table: string; index: string; has: boolean }>(`
    SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS index,
      EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        AND a.attname = 'organization_id') AS has
    FROM pg_index i WHERE i.indisunique AND i.indrelid::regclass::text = ANY ('{${DISTRIBUTED}}')`);
  expect(indexes.length).toBeGreaterThanOrEqual(DISTRIBUTED.length);
  expect(indexes.filter(({ has }) => !has)).toEqual([]);
  const keys = await ask<{ table: string }>(
    `SELECT conrelid::regclass::text AS table FROM pg_constraint WHERE contype = 'p'`,
  );
  const keyed = new Set(keys.map(({ table }) => table));
  expect(DISTRIBUTED.filter((table) => !keyed.has(table))).toEqual([]);
});

it('every foreign key goes to a reference table, or has organization_id on both sides in the same position', async () => {
  const keys = await ask<{ name: string; from: string; to: string; own: string[]; theirs: string[] }>(`
    SELECT k.conname AS name, k.conrelid::regclass::text AS from, k.confrelid::regclass::text AS to,
      ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY u (n, i)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY i) AS own,
      ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY u (n, i)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY i) AS theirs
    FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace`);
  expect(keys.length).toBeGreaterThan(50);
  const wrong = keys.filter(({ from, to, own, theirs }) => {
    if (REFERENCE.includes(to)) return false;
    const at = own.indexOf('organization_id');
    return !DISTRIBUTED.includes(from) || !DISTRIBUTED.includes(to) || theirs[at] !== 'organization_id';
  });
  expect(wrong).toEqual([]);
  // Citus accepts foreign keys between distributed tables only without an action that changes organization_id.
  const actions = await ask(
    `SELECT conname FROM pg_constraint WHERE contype = 'f' AND confdeltype NOT IN ('a', 'r')
       AND connamespace = 'public'::regnamespace`,
  );
  expect(actions).toEqual([]);
});

it('sequences are bigint, and no feature without Citus support is used: rules, exclusions, inheritance', async () => {
  const tables = `ANY ('{${DISTRIBUTED}}')`;
  const sequences = await ask<{ type: string }>(`
    SELECT format_type(s.seqtypid, NULL) AS type FROM pg_sequence s
    JOIN pg_depend d ON d.objid = s.seqrelid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    JOIN pg_class c ON c.oid = d.refobjid WHERE c.relname = ${tables}`);
  expect(new Set(sequences.map(({ type }) => type))).toEqual(new Set(['bigint']));
  expect(await ask(`SELECT rulename FROM pg_rules WHERE tablename = ${tables}`)).toEqual([]);
  expect(
    await ask(
      `SELECT conname FROM pg_constraint WHERE contype = 'x' AND connamespace = 'public'::regnamespace`,
    ),
  ).toEqual([]);
  expect(
    await ask(`SELECT inhrelid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE c.relname = ${tables}`),
  ).toEqual([]);
});

it('the triggers of distributed tables are those that the guide names', async () => {
  const triggers = await ask<{ name: string }>(`
    SELECT DISTINCT tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND c.relname = ANY ('{${DISTRIBUTED}}') ORDER BY 1`);
  const named = documentedSql('Triggers')
    .split('\n')
    .flatMap((line) => /^-- (\w+):/.exec(line)?.[1] ?? []);
  expect(triggers.map(({ name }) => name)).toEqual(named.sort());
});
