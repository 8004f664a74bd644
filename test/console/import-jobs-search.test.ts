import { Client } from 'pg';
import { importJob } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { pagesRead } from '../pages-read';
import { type Browser, signedIn } from './console';

/** The search of jobs reads few pages, however many jobs an organization has. */

const JOBS = 40_000;
const RARE = newId();
const COMMON = newId();

let api: TestApi;
let client: Client;
let viewer: Browser;
beforeAll(async () => {
  api = await sharedApi();
  const { organizationId, dataSource } = api;
  viewer = (await signedIn(api, 'VIEWER')).browser;
  const { memberId } = await signedIn(api, 'MANAGER', 'rosalind@example.com');
  const one = await importJob(dataSource, { organizationId, surface: 'bookingsImport' });
  client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  // Indexes are built faster than extended.
  const { rows: indexes } = await client.query(
    "SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'import_jobs' AND indexdef ~ 'USING gin'",
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query('SET session_replication_role = replica');
  // The rare ones are the oldest.
  await client.query(
    `INSERT INTO import_jobs SELECT made.* FROM (SELECT j FROM import_jobs j WHERE j.id = $1 OFFSET 0) one
     CROSS JOIN generate_series(1, $2::int) n
     CROSS JOIN LATERAL jsonb_populate_record(one.j, jsonb_build_object('id', uuid_v7(),
       'created_at', '2026-01-01'::timestamptz + n * interval '1 second', 'finished_at', '2026-01-01'::timestamptz,
       'name', CASE WHEN n <= 30 THEN 'wheelchairs' ELSE 'start-list-' || n END || '.csv',
       'source', 'nightly',
       'sent_by_member_id', CASE WHEN n BETWEEN 31 AND 60 THEN $3::uuid END,
       'event_occurrence_ids', to_jsonb(CASE WHEN n <= 30 THEN ARRAY[$4::uuid, $5] ELSE ARRAY[$5::uuid] END))) made`,
    [one.id, JOBS, memberId, RARE, COMMON],
  );
  for (const { definition } of indexes) await client.query(definition);
  await client.query('VACUUM ANALYZE import_jobs');
  await client.query('SET ROLE startline_app');
});
afterAll(async () => {
  await client.end();
  await api.close();
});

const askedFor = (query: string) =>
  pagesRead(client, api.organizationId, () =>
    viewer.ask('GET', `/console/v1/import-jobs?page[size]=25&dryRun=false&${query}`),
  );

it.each([
  ['a name that few have', 'search=wheelchair'],
  ['a sender of few', 'search=rosalind'],
  ['nothing', 'search=nobody-has-this'],
  ['an occurrence of few', `eventOccurrenceId=${RARE}`],
  ['a name and an occurrence', `search=wheelchair&eventOccurrenceId=${RARE}`],
])('finds %s without reading the others', async (_, query) => {
  const { pages, answer } = await askedFor(query);
  expect(answer.body.data).toHaveLength(query.includes('nobody') ? 0 : 25);
  // As many with 200,000 jobs. Some ten thousand are read in order, which is about 2,000 pages.
  expect(pages).toBeLessThan(500);
});
