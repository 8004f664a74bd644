import { Client, escapeLiteral } from 'pg';
import { copiesOf, openApiDocument, organization } from '#libs/testing';
import { Database, newId, ORGANIZATION, PLANNING } from '#platform/database';
import { operationsOf } from '#platform/http';
import { type ListDeclaration, STANDARD_PAGING } from '#platform/queries';
import { signedIn } from '../console/console';
import { eventually, startApi, type TestApi } from '../harness';
import { pagingFixtures, type Walkable } from './paging-fixtures';

/** No list scans a large table sequentially: each of its queries is explained with many rows. */

const OWN = 3_000;
const OF_OTHERS = 12_000;
/** The tables that grow, each with columns that its copies need; `many` has one booking for each of them. */
const LARGE: Record<string, string> = {
  bookings: `'external_booking_id', 'AMONG-MANY-' || n`,
  start_list_entries: `'booking_id', many.id, 'participant_id', uuid_v7()`,
  line_items: `'booking_id', many.id`,
  credits: `'external_credit_id', 'AMONG-MANY-' || n`,
  add_on_allocations: `'booking_id', many.id`,
  partners: `'name', 'Among many ' || n`,
  import_rows: `'row_number', n + 100`,
  webhook_deliveries: `'event_id', uuid_v7()`,
  change_events: `'occurred_at', '2026-01-01'::timestamptz + n * interval '1 second'`,
};

let api: TestApi;
let fixtures: Record<string, Walkable>;
let client: Client;
beforeAll(async () => {
  api = await startApi({ RATE_WIDE: '1000000' });
  fixtures = await pagingFixtures(api.dataSource, api.organizationId);
  const others = (await organization(api.dataSource)).id;
  for (const walkable of [
    ...Object.values(fixtures),
    ...Object.values(await pagingFixtures(api.dataSource, others)),
  ]) {
    await walkable.add();
  }
  client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  for (const [organizationId, rows] of [
    [api.organizationId, OWN],
    [others, OF_OTHERS],
  ]) {
    for (const [table, columns] of Object.entries(LARGE)) {
      await client.query(
        `INSERT INTO ${table} ${copiesOf(
          't',
          `jsonb_build_object('id', uuid_v7(),
            'created_at', '2026-01-01'::timestamptz + n * interval '1 second', ${columns})`,
          `FROM ${table} t, generate_series(1, $2::int) n
            LEFT JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM bookings WHERE organization_id = $1) many
            ON many.place = n
            WHERE t.ctid = (SELECT ctid FROM ${table} WHERE organization_id = $1 LIMIT 1)`,
        )}`,
        [organizationId, rows],
      );
    }
  }
  await eventually(vacuumed);
  // From here on with the role of the API: policies determine which conditions can use an index.
  await client.query('SET ROLE startline_app');
  await client.query(`SELECT set_config('${ORGANIZATION}', $1, false)`, [api.organizationId]);
});
afterAll(async () => {
  await client.end();
  await api.close();
});

/**
 * Whether all pages of the large tables are all-visible. A snapshot older than the rows, such as that of an ANALYZE
 * by autovacuum, prevents VACUUM from marking them, and PostgreSQL then prefers the table to its index.
 */
async function vacuumed(): Promise<boolean> {
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query(
    'SELECT bool_and(relallvisible >= relpages) AS whole FROM pg_class WHERE relname = ANY ($1)',
    [Object.keys(LARGE)],
  );
  return rows[0].whole;
}

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const scansOf = (node: PlanNode): string[] => [
  ...(node['Node Type'] === 'Seq Scan' && node['Relation Name'] ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(scansOf),
];

/** Lists are arrays of texts without special characters. */
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  return escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));
};

const indexesOf = (node: PlanNode): string[] => [
  ...(node['Index Name'] ? [node['Index Name']] : []),
  ...(node.Plans ?? []).flatMap(indexesOf),
];

/** Tables that PostgreSQL would scan sequentially, planning for these values or for any. */
const scans = async (...[text, values, options]: Parameters<typeof plans>): Promise<string[]> =>
  (await plans(text, values, options)).flatMap(scansOf);

async function plans(
  text: string,
  values: readonly unknown[],
  { planOnce = false }: { planOnce?: boolean } = {},
): Promise<PlanNode[]> {
  const found: PlanNode[] = [];
  await client.query(
    planOnce ? `SET random_page_cost = ${PLANNING.random_page_cost}` : 'RESET random_page_cost',
  );
  await client.query(`PREPARE asked AS ${text}`);
  const modes = planOnce ? [PLANNING.plan_cache_mode] : ['force_custom_plan', 'force_generic_plan'];
  for (const mode of modes) {
    await client.query(`SET plan_cache_mode = ${mode}`);
    const given = values.length ? `(${values.map(literal).join(', ')})` : '';
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE asked ${given}`);
    found.push(rows[0]['QUERY PLAN'][0].Plan);
  }
  await client.query('DEALLOCATE asked');
  return found;
}

/** The requests of clients: the filters of a list in every order, and new items. */
function variantsOf({ times, filters }: ListDeclaration): Record<string, string>[] {
  const now = new Date().toISOString();
  return [
    {},
    ...Object.keys(times ?? {}).flatMap((name) => [
      { [`sort[${name}]`]: '1' },
      { [`sort[${name}]`]: '-1' },
      { [`${name}[after]`]: now },
    ]),
    ...(filters?.status && times ? [{ status: 'CANCELLED' }, { status: 'CONFIRMED' }] : []),
    ...(filters?.tag ? [{ features: 'tags', tag: 'vip' }] : []),
    ...['bibNumber', 'email', 'externalParticipantId', 'externalBookingId', 'externalCreditId'].flatMap(
      (name) => (filters?.[name] ? [{ [name]: 'one' }] : []),
    ),
    ...['eventOccurrenceId', 'raceId', 'ticketId', 'eventId'].flatMap((name) =>
      filters?.[name] ? [{ [name]: newId() }] : [],
    ),
  ];
}

const PATHS = new Map(
  Object.entries(openApiDocument().paths as Record<string, { get?: { operationId: string } }>).flatMap(
    ([path, { get }]) => (get ? [[get.operationId, path] as const] : []),
  ),
);

it('detects a sequential scan of a table', async () => {
  const text = `SELECT id FROM start_list_entries WHERE application_notes = $1`;
  // With the role of the API, the condition of the policy leads to an index.
  await client.query('RESET ROLE');
  const found = await scans(text, ['7']);
  await client.query('SET ROLE startline_app');
  expect(found).toEqual(['start_list_entries', 'start_list_entries']);
});

it('uses no sequential scan of a large table for any list', async () => {
  // Lists query through `Database.of`, whose connections share this prototype.
  const asked = (['tuples', 'each'] as const).map((method) =>
    jest.spyOn(Object.getPrototypeOf(Database.prototype) as Database, method),
  );
  const bad: object[] = [];
  let explained = 0;
  for (const { name, keys, answers } of operationsOf(api.app)) {
    if (keys.length === 0 || typeof answers === 'function') continue;
    const declaration = answers as ListDeclaration;
    const { path, query, token } = fixtures[declaration.name] as Walkable;
    const where = (PATHS.get(name) as string).replace(
      /\{(\w+)\}/g,
      (_, part: string) => path[part] as string,
    );
    const { after: [after = ''] = [] } = declaration.paging ?? STANDARD_PAGING;
    for (const variant of variantsOf(declaration)) {
      const ask = async (more: Record<string, string> = {}) => {
        const { status, body } = await api.get(
          `${where}?${new URLSearchParams({ ...query, ...variant, ...more })}`,
          token,
        );
        if (status !== 200) throw new Error(`${where} answered ${status}: ${body.message}`);
        return body;
      };
      for (const spy of asked) spy.mockClear();
      const { page } = await ask();
      await ask({ [after]: page.last });
      const statements = new Map(
        asked
          .flatMap(({ mock }) => mock.calls as [string, unknown[]?, unknown?, { planOnce?: boolean }?][])
          .filter(([text]) => !text.includes('horizon()'))
          .map(([text, values, , options]) => [text, [values, options]] as const),
      );
      for (const [text, [values = [], options]] of statements) {
        const large = (await scans(text, values, options)).filter((table) => LARGE[table]);
        if (large.length > 0) bad.push({ list: declaration.name, variant, large, text });
        explained += 1;
      }
    }
  }
  expect(bad).toEqual([]);
  expect(explained).toBeGreaterThan(80);
});

it('finds participants in each order of the console by its index, in an event or race, or by the words of a search', async () => {
  const { browser } = await signedIn(api, 'OWNER');
  const each = jest.spyOn(Object.getPrototypeOf(Database.prototype) as Database, 'each');
  const [{ eventOccurrenceId, raceId, ticketId }] = (await api.get('/v0/participants')).body.data;
  const filters: Record<string, string>[] = [
    {},
    { eventOccurrenceId },
    { raceId },
    { ticketId },
    { tag: 'vip' },
    { status: 'CANCELLED' },
    { eventOccurrenceId, status: 'CONFIRMED', tag: 'vip' },
    { search: 'ada' },
    { search: 'ada@example.com', eventOccurrenceId, tag: 'vip' },
    { search: eventOccurrenceId, raceId, status: 'CONFIRMED' },
  ];
  const found: unknown[] = [];
  const wanted: unknown[] = [];
  for (const by of ['name', 'bib', 'wave'])
    for (const filter of filters)
      for (const direction of ['1', '-1']) {
        if (by === 'wave' && !('eventOccurrenceId' in filter || 'raceId' in filter)) continue;
        each.mockClear();
        const list = `/console/v1/participants?${new URLSearchParams({ [`sort[${by}]`]: direction, ...filter })}`;
        const { status, body } = await browser.ask('GET', list);
        await browser.ask('GET', `${list}&page[after]=${body.page.last}`);
        for (const [text, values = [], , options] of each.mock.calls as Parameters<Database['each']>[]) {
          const [plan] = (await plans(text, values, options)) as [PlanNode];
          const indexes = indexesOf(plan);
          found.push([
            by,
            filter,
            status,
            'search' in filter
              ? indexes.includes('start_list_entries_words_idx')
              : by === 'wave' || indexes.includes(`participants_${by}_idx`),
            scansOf(plan),
          ]);
          wanted.push([by, filter, 200, true, expect.not.arrayContaining(['start_list_entries'])]);
        }
      }
  expect(found).toEqual(wanted);
  expect(found.length).toBeGreaterThan(60);
});
