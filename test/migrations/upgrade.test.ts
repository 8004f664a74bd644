import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { key, type TestDatabase, testDatabase, ticket, wholeOrganization, withDatabase } from '#libs/testing';
import { appUrlOf, migrate, schemaDrift } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { finished } from '../imports/import';
import { message, RaceDay } from '../race-day/race-day';

/** For each release, `<version>.sql.br`: a database with all kinds of records, and work that it had accepted and not done. */
const FOLDER = `${__dirname}/releases`;

/** What makes up the schema. Conditions of a dump have other brackets. */
const SCHEMA = `
  SELECT kind, name, translate(definition, '()', '') AS definition FROM (
  SELECT 'column' AS kind, c.relname || '.' || a.attname AS name,
    format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || a.attgenerated::text || ' '
      || coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS definition
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'v') LEFT JOIN pg_attrdef d
    ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) || ' ' || convalidated
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'p', 'u', 'x')
  UNION ALL SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'function', oid::regprocedure::text, pg_get_functiondef(oid) || proowner::regrole::text
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  UNION ALL SELECT 'policy', tablename || '.' || policyname, concat_ws(' ', cmd, permissive, roles::text, qual, with_check) FROM pg_policies
  UNION ALL SELECT 'right', c.oid::regclass::text, string_agg(concat_ws(' ', grantee::regrole, privilege_type), ',' ORDER BY grantee, privilege_type)
  FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) r
  WHERE c.relnamespace = 'public'::regnamespace AND grantee <> 0 AND privilege_type <> 'MAINTAIN' GROUP BY c.oid
  ) parts ORDER BY 1, 2`;

const rowsOf = async (url: string, sql: string) =>
  withDatabase(url, async (client) => (await client.query(sql)).rows);

/** How many rows each table has. */
async function countsIn(url: string): Promise<Record<string, number>> {
  const tables = await rowsOf(
    url,
    `SELECT relname AS name FROM pg_stat_user_tables WHERE schemaname = 'public' AND relname <> 'schema_migrations'`,
  );
  const counts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*)::int AS count FROM public.${name}`,
  );
  const found = await rowsOf(url, `${counts.join(' UNION ALL ')} ORDER BY 1`);
  return Object.fromEntries(found.map(({ name, count }) => [name, count]));
}

const MARK = 'release';
const OPEN_IMPORT = 'startline-open-import';
const BIB = '4711';

/**
 * `STORE_RELEASE=0.2.0 TEST_DATABASE_URL=… npm test -- test/migrations/upgrade` stores the database of a release, from a server of the oldest
 * supported PostgreSQL.
 */
async function store(release: string): Promise<void> {
  const api = await startApi(UNLIMITED);
  const { organizationId } = await wholeOrganization(api.dataSource, { mark: MARK });
  const { token } = await key(api.dataSource, { organizationId });
  const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, { organizationId });
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const participants = [{ ...person, ticketId }];
  const bookings = [{ externalBookingId: OPEN_IMPORT, eventOccurrenceId, booker: person, participants }];
  const { status } = await api.send('POST', '/v0/bookings/import', { bookings }, token);
  expect(status).toBe(200);
  const raceDay = await RaceDay.of({ ...api, organizationId });
  await raceDay.accepted([message({ participantId: await raceDay.participant(), bibNumber: BIB })]);
  const dump = execFileSync('pg_dump', ['--inserts', '--rows-per-insert=100', '--no-owner', api.databaseUrl]);
  // Without commands of psql, and for any owner.
  const sql = dump
    .toString()
    .replace(/^\\.*$/gm, '')
    .replace(/ FOR ROLE \w+/g, '');
  writeFileSync(`${FOLDER}/${release}.sql.br`, brotliCompressSync(sql));
  await api.close();
}

const { STORE_RELEASE: RELEASE } = process.env;
if (RELEASE) it(`stores the database of ${RELEASE}`, () => store(RELEASE));

const stored = RELEASE ? [`${RELEASE}.sql.br`] : readdirSync(FOLDER);
describe.each(stored)('the database of %s', (file) => {
  let database: TestDatabase;
  let [before, after]: Record<string, number>[] = [];
  let api: TestApi;
  beforeAll(async () => {
    database = await testDatabase({ url: 'postgres://localhost/template0', drop: async () => {} });
    const { url } = database;
    const sql = brotliDecompressSync(readFileSync(`${FOLDER}/${file}`)).toString();
    await withDatabase(url, (client) => client.query(sql));
    before = await countsIn(url);
    await migrate(url, { appUrl: appUrlOf(url) });
    after = await countsIn(url);
    api = await startApi({ ...UNLIMITED, DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await api?.close();
    await database?.drop();
  });

  it('gets the schema of a new one, and keeps every row', async () => {
    const fresh = await testDatabase();
    expect(await rowsOf(database.url, SCHEMA)).toEqual(await rowsOf(fresh.url, SCHEMA));
    await fresh.drop();
    expect(await schemaDrift(database.url)).toEqual([]);
    expect(after).toMatchObject(before as object);
  });

  it('is served: what it has is read, and what the release had accepted is done', async () => {
    const { dataSource } = api;
    const [{ organizationId }] = await dataSource.query(
      'SELECT organization_id AS "organizationId" FROM bookings WHERE external_booking_id = $1',
      [MARK],
    );
    const { token } = await key(dataSource, { organizationId });
    const own = { ...api, get: (path: string) => api.get(path, token) } as TestApi;
    const worker = await startWorker(api);
    const jobs = await own.get('/v0/import-jobs');
    const open = jobs.body.data.find(({ status }) => status === 'QUEUED');
    expect(await finished(own, 'bookings/import', open?.jobId ?? '')).toMatchObject({
      status: 'COMPLETED',
      succeededRows: 1,
    });
    const shown = async () => (await own.get(`/v0/participants?bibNumber=${BIB}`)).body.data;
    expect(await eventually(async () => (await shown()).length > 0 && shown())).toHaveLength(1);
    await worker.close();
  });
});
