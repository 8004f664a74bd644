import { Client } from 'pg';
import { booking, copiesOf, key, partner, reservedEntryGroup, ticket } from '#libs/testing';
import { eventually, startApi, type TestApi } from '../harness';
import { pagesRead } from '../pages-read';

/** A list of a partner reads about as many pages as the organizer's, however many entries others have. */

const OF_ALL = 20_000;
const OF_PARTNER = OF_ALL / 10;

let api: TestApi;
let client: Client;
let partnerId: string;
let subPartnerId: string;
let tokens: Record<string, string>;
beforeAll(async () => {
  api = await startApi();
  const { organizationId, dataSource } = api;
  const sold = await ticket(dataSource, { organizationId });
  partnerId = (await partner(dataSource, { organizationId })).id;
  subPartnerId = (await partner(dataSource, { organizationId, parentPartnerId: partnerId })).id;
  const groupOf = (id: string) =>
    reservedEntryGroup(dataSource, { organizationId, partnerId: id, ticketId: sold.id });
  const [group, subGroup] = [await groupOf(partnerId), await groupOf(subPartnerId)];
  client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  for (const [reservedEntryGroupId, copies] of [
    [undefined, OF_ALL],
    [group.id, OF_PARTNER / 2],
    [subGroup.id, OF_PARTNER / 2],
  ] as const) {
    const made = await booking(dataSource, {
      organizationId,
      ticketId: sold.id,
      externalBookingId: null,
      entries: [{ reservedEntryGroupId }],
    });
    await client.query(
      `WITH made AS (
         INSERT INTO bookings ${copiesOf(
           'b',
           `jsonb_build_object('id', uuid_v7())`,
           'FROM bookings b, generate_series(1, $2::int) WHERE b.id = $1',
         )} RETURNING id
       )
       INSERT INTO start_list_entries
       ${copiesOf(
         'e',
         `jsonb_build_object('id', uuid_v7(), 'participant_id', uuid_v7(), 'booking_id', made.id,
           'created_at', '2026-01-01'::timestamptz + random() * interval '90 days')`,
         'FROM start_list_entries e, made WHERE e.booking_id = $1',
       )}`,
      [made.id, copies],
    );
  }
  await eventually(async () => {
    await client.query('VACUUM ANALYZE');
    const { rows } = await client.query(
      // A page that a table was extended by, and that nobody has used yet, is not visible to all.
      "SELECT bool_and(relallvisible >= relpages * 0.95) AS whole FROM pg_class WHERE relname IN ('start_list_entries', 'bookings')",
    );
    return rows[0].whole;
  });
  tokens = {
    organizer: api.token,
    parent: (await key(dataSource, { organizationId, partnerId })).token,
    sub: (await key(dataSource, { organizationId, partnerId: subPartnerId })).token,
  };
  await client.query('SET ROLE startline_app');
});
afterAll(async () => {
  await client.end();
  await api.close();
});

/** What the statement of a list reads, with what the scope of a partner reads. */
async function pagesOf(path: string, whose: string): Promise<{ pages: number; items: number; next: string }> {
  const id = { organizer: '', parent: partnerId, sub: subPartnerId }[whose];
  const scope = id ? `SELECT enter_partner('${api.organizationId}', '${id}')` : undefined;
  const ask = () => api.get(path, tokens[whose]);
  const { pages, answer } = await pagesRead(client, api.organizationId, ask, scope);
  return { pages, items: answer.body.data.length, next: answer.body.page.next };
}

it.each(
  ['participants', 'applications'].flatMap((list) =>
    ['', 'sort[createdAt]=-1', 'sort[updatedAt]=1', 'sort[updatedAt]=-1'].map((order) => [list, order]),
  ),
)('reads at most 1.2 times the pages of the organizer: %s %s', async (list, order) => {
  const pages: Record<string, number[]> = {};
  for (const whose of Object.keys(tokens)) {
    const first = await pagesOf(`/v0/${list}?${order}`, whose);
    const second = await pagesOf(`/v0/${list}?${order}&page[after]=${first.next}`, whose);
    expect([first.items, second.items]).toEqual([100, 100]);
    pages[whose] = [first.pages, second.pages];
  }
  const most = (pages.organizer as number[]).map((each) => Math.ceil(each * 1.2));
  for (const whose of ['parent', 'sub'])
    for (const [page, each] of (pages[whose] as number[]).entries())
      expect(each).toBeLessThanOrEqual(most[page] as number);
});
