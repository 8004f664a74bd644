import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { testDatabase } from '#libs/testing';
import { createDataSource, Database } from '#platform/database';
import { rowWriter } from '../../libs/platform/queries/src/json-row';
import { instant } from '../../libs/platform/queries/src/resource';

/** Rows that Node writes as JSON, compared with PostgreSQL's own `row_to_json`. */

let test: Awaited<ReturnType<typeof testDatabase>>;
let dataSource: DataSource;
let database: Database;
beforeAll(async () => {
  test = await testDatabase();
  dataSource = await createDataSource({ url: test.url, applicationName: 'test' }).initialize();
  database = new Database(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await test.drop();
});

async function written(select: string, values: unknown[] = [], omitNulls = false): Promise<string> {
  const { columns, rows } = await database.table(`SELECT ${select}`, values);
  return rowWriter(columns, 0, omitNulls)(rows[0] as string[]);
}

const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '').toWellFormed());
const json = fc
  .json({ stringUnit: 'grapheme-ascii' })
  .filter((value) => !value.includes('\\u0000'))
  .map((value) => value.replace('{', '{ '));
const uuid = fc.uuid();
const date = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
const microseconds = fc.integer({ min: 0, max: 999_999 });

/** Values of every type that a property can have. */
const TYPES: Record<string, fc.Arbitrary<unknown>> = {
  boolean: fc.boolean(),
  smallint: fc.integer({ min: -32_768, max: 32_767 }),
  integer: fc.integer(),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  real: fc.float(),
  'double precision': fc.double(),
  numeric: fc.oneof(fc.double({ noDefaultInfinity: true }).map(String), fc.bigInt().map(String)),
  text,
  'character varying': text,
  uuid,
  json,
  jsonb: json,
  'text[]': fc.array(fc.option(text)),
  'varchar[]': fc.array(text),
  'uuid[]': fc.array(uuid),
  date: date.map((value) => value.toISOString().slice(0, 10)),
  timestamptz: fc
    .tuple(date, microseconds)
    .map(([day, fraction]) => `${day.toISOString().slice(0, 19)}.${String(fraction).padStart(6, '0')}Z`),
};

it('writes values of every type as PostgreSQL does', async () => {
  const names = Object.keys(TYPES);
  const columns = names.map((type, i) => `$${i + 1}::${type} AS "${i} ${type.replace('[]', 's')}"`);
  const expected = names.map((type, i) =>
    type === 'timestamptz' ? `${instant(`$${i + 1}::${type}`)} AS "${i} ${type}"` : columns[i],
  );
  const row = fc.tuple(...Object.values(TYPES).map((values) => fc.option(values, { freq: 10 })));
  await fc.assert(
    fc.asyncProperty(row, async (values) => {
      const [[known = ''] = []] = await database.tuples<[string]>(
        `SELECT row_to_json(item)::text FROM (SELECT ${expected.join()}) item`,
        values,
      );
      expect(await written(columns.join(), values)).toBe(known);
    }),
    { numRuns: 300 },
  );
});

it.each([
  [`1 AS "a.b", 'x' AS "a.c", true AS "d"`, '{"a":{"b":1,"c":"x"},"d":true}'],
  [`1 AS "a.b.c", 2 AS "a.b.d", 3 AS "a.e", 4 AS "f"`, '{"a":{"b":{"c":1,"d":2},"e":3},"f":4}'],
  [`NULL AS "a.b"`, '{"a":{"b":null}}'],
  [`NULL AS "a?.b", 1 AS "a?.c"`, '{"a":null}'],
  [`1 AS "a?.b", NULL AS "a?.c"`, '{"a":{"b":1,"c":null}}'],
  [`1 AS "a.b", NULL AS "a.c?.d", 2 AS "a.c?.e"`, '{"a":{"b":1,"c":null}}'],
  [`NULL AS "a??.b", 1 AS "a??.c", 2 AS "d"`, '{"d":2}'],
  [`1 AS "a[].b", NULL AS "a[].c"`, '{"a":[{"b":1,"c":null}]}'],
  [`NULL AS "a[].b", NULL AS "a[].c"`, '{"a":[]}'],
  [`NULL AS "a[].b?", ',}' AS "a[].c?"`, '{"a":[{"c":",}"}]}'],
  [`',' AS "a?", NULL AS "b?"`, '{"a":","}'],
  [`NULL AS "a?"`, '{}'],
  [`NULL AS "a?", 1 AS "b"`, '{"b":1}'],
  [`NULL AS "a?", NULL AS "b", NULL AS "c?", 1 AS "d?"`, '{"b":null,"d":1}'],
  [`false AS "a?", 1 AS "b"`, '{"a":false,"b":1}'],
])('nests %s', async (select, expected) => {
  expect(await written(select)).toBe(expected);
});

it('omits properties without a value where the resource says so', async () => {
  const select = `1 AS "id", NULL AS "a", NULL AS "b.c", 2 AS "b.d", NULL AS "e?.f", NULL AS "g.h"`;
  expect(await written(select, [], true)).toBe('{"id":1,"b":{"d":2},"g":{}}');
});

it('refuses types that have no JSON format', async () => {
  await expect(written(`interval '1 hour' AS "a"`)).rejects.toThrow('The property a has type 1186');
});
