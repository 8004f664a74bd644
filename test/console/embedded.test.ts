import { copiesOf, organization, race, reservedEntryGroup, ticket } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { signedIn } from './console';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

/** Copies a row until there are `total` in the organization. */
const copies = (organizationId: string, table: string, id: string, total: number, differences: string) =>
  api.dataSource.query(
    `INSERT INTO ${table} ${copiesOf(
      't',
      `jsonb_build_object('id', uuid_v7()) || ${differences}`,
      `FROM ${table} t, generate_series(2, $3::int) i WHERE t.organization_id = $1 AND t.id = $2`,
    )}`,
    [organizationId, id, total],
  );

it('an event occurrence embeds at most 500 races, tickets and groups each, with their numbers', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { browser } = await signedIn(api, 'OWNER', undefined, organizationId);
  const first = await race(api.dataSource, { organizationId });
  const sold = await ticket(api.dataSource, { organizationId, raceId: first.id });
  const group = await reservedEntryGroup(api.dataSource, { organizationId, ticketId: sold.id });
  await copies(organizationId, 'races', first.id, 503, `jsonb_build_object('position', i)`);
  await copies(
    organizationId,
    'tickets',
    sold.id,
    502,
    `jsonb_build_object('position', i, 'slug', 'copy-' || i)`,
  );
  await copies(
    organizationId,
    'reserved_entry_groups',
    group.id,
    501,
    `jsonb_build_object('code', 'copy-' || i)`,
  );
  const { body } = await browser.ask('GET', `/console/v1/event-occurrences/${first.eventOccurrenceId}`);
  expect([body.raceCount, body.ticketCount, body.reservedGroupCount]).toEqual([503, 502, 501]);
  expect([body.races.length, body.tickets.length, body.reservedGroups.length]).toEqual([500, 500, 500]);
});

it('the staff and the keys are at most 1,000 each, with their numbers', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { browser, memberId } = await signedIn(api, 'OWNER', undefined, organizationId);
  await copies(
    organizationId,
    'staff_members',
    memberId,
    1_001,
    `jsonb_build_object('email', i || '@example.com', 'email_normalized', i || '@example.com')`,
  );
  const made = await browser.ask('POST', '/console/v1/keys', { name: 'first', kind: 'ORGANIZER' });
  await copies(organizationId, 'api_keys', made.body.key.id, 1_002, `'{}'`);
  const { body: staff } = await browser.ask('GET', '/console/v1/staff');
  expect([staff.count, staff.data.length]).toEqual([1_001, 1_000]);
  const { body: keys } = await browser.ask('GET', '/console/v1/keys');
  expect([keys.count, keys.data.length]).toEqual([1_002, 1_000]);
});
