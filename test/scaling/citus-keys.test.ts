import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '#libs/testing';
import { SHARED_TABLES } from '#platform/database';

/** The requirements of Citus for tables that are distributed by organization, compared with the current schema. */

let DISTRIBUTED: string[];
const REFERENCE = ['organizations'];

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  const tables = await ask<{ name: string }>(`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`);
  const others = [...REFERENCE, ...Object.keys(SHARED_TABLES)];
  DISTRIBUTED = tables.map(({ name }) => name).filter((name) => !others.includes(name));
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const ask = async <Row>(text: string): Promise<Row[]> => (await client.query(text)).rows as Row[];

it('every distributed table has organization_id', async () => {
  const owned = await ask<{ name: string }>(`SELECT attrelid::regclass::text AS name FROM pg_attribute
    WHERE attrelid = ANY ('{${DISTRIBUTED}}'::regclass[]) AND attname = 'organization_id' AND attnotnull`);
  expect(owned.map(({ name }) => name).sort()).toEqual([...DISTRIBUTED].sort());
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
