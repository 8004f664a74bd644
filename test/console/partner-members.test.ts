import { key, organization, partner, reservedEntryGroup, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { operationsOf } from '#platform/http';
import { ALL_OPERATIONS } from '../contract/document';
import { expectCountersRight } from '../faults/recount';
import { eventually, sharedApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';
import { Browser, signedIn } from './console';

let api: TestApi;
let owner: Browser;
beforeAll(async () => {
  api = await sharedApi();
  owner = (await signedIn(api, 'OWNER')).browser;
});
afterAll(() => api.close());

const PATH = '/v0/reserved-entries/participants/import';
let serial = 0;
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const grace = () => ({ firstName: 'Grace', lastName: 'Hopper', email: `grace-${++serial}@example.com` });

async function charity({ parentPartnerId, ...given }: Record<string, any> = {}) {
  const { id, name } = await partner(api.dataSource, mine({ parentPartnerId }));
  const sold = await ticket(api.dataSource, mine({}));
  const group = await reservedEntryGroup(
    api.dataSource,
    mine({
      ...{ partnerId: id, ticketId: sold.id, maxCapacity: 100, canPartnerCancel: true },
      ...{ reallocateOnCancel: true, ...given },
    }),
  );
  const { token } = await key(api.dataSource, mine({ partnerId: id }));
  const row = () => ({
    externalAssignmentId: `place-${++serial}`,
    reservedEntryGroupId: group.id,
    ticketSlug: sold.slug,
    participant: grace(),
  });
  return { id, name, sold, group, token, row };
}

/** Invited by the owner, from the partner's page. */
async function member(partnerId: string) {
  const email = `member-${++serial}@example.com`;
  const { status, body } = await owner.ask('POST', `/console/v1/partners/${partnerId}/members`, { email });
  expect(status).toBe(200);
  const given = new URLSearchParams(body.link.split('#')[1]);
  const browser = new Browser(api);
  const redeemed = await browser.redeem(given.get('organization') ?? '', given.get('token') ?? '');
  expect(redeemed.status).toBe(200);
  return { browser, id: body.member.id as string, me: redeemed.body };
}

async function assign(browser: Browser, row: object): Promise<any> {
  const { status, body } = await browser.ask('POST', PATH, { assignments: [row] });
  expect(status).toBe(200);
  return eventually(async () => {
    const job = (await browser.ask('GET', `${PATH}/${(body as any).jobId}`)).body as any;
    return job.status === 'COMPLETED' && job;
  });
}

describe('a member of a partner', () => {
  it('knows its partner, and is listed as its member', async () => {
    const ours = await charity();
    const { me, id } = await member(ours.id);
    expect(me).toMatchObject({ role: 'PARTNER', partner: { id: ours.id, name: ours.name } });
    const { body } = await owner.ask('GET', `/console/v1/partners/${ours.id}/members`);
    expect(body).toMatchObject({ count: 1, data: [{ id, role: 'PARTNER', partnerId: ours.id }] });
    expect((await owner.ask('GET', '/console/v1/me')).body.partner).toBeNull();
  });

  it('is invited once', async () => {
    const { id } = await charity();
    const email = `member-${++serial}@example.com`;
    for (const path of [`/console/v1/partners/${id}/members`, '/console/v1/staff']) {
      const invite = (address: string) =>
        owner.ask('POST', path, { email: address, ...(path.endsWith('staff') && { role: 'VIEWER' }) });
      if (!path.endsWith('staff')) expect((await invite(email)).status).toBe(200);
      expect(await invite(email.toUpperCase())).toMatchObject({
        status: 400,
        body: { message: 'The organization already has a staff member with this email.' },
      });
    }
  });

  it('assigns, replaces, gives back and exports its runners, and sees no others', async () => {
    const [ours, others] = [await charity(), await charity()];
    const { browser } = await member(ours.id);
    const { browser: stranger } = await member(others.id);
    const { results } = await assign(browser, ours.row());
    const [{ participantId, bookingId }] = results;
    await assign(stranger, others.row());
    const listed = async (whose: Browser) => (await whose.ask('GET', '/v0/participants')).body as any;
    expect(await listed(browser)).toMatchObject({ data: [{ id: participantId }], page: { totalResults: 1 } });
    // What its key sees, no more and no less.
    expect((await api.get('/v0/participants', ours.token)).body.data).toEqual((await listed(browser)).data);
    const path = `/v0/participants/${participantId}`;
    const person = grace();
    expect((await stranger.ask('POST', `${path}/transfer`, person)).status).toBe(404);
    expect((await stranger.ask('DELETE', path)).status).toBe(404);
    expect((await stranger.ask('GET', `/v0/bookings/${bookingId}`)).status).toBe(404);
    expect((await browser.ask('POST', `${path}/transfer`, person)).body).toMatchObject({ booker: person });
    const exported = await browser.ask('GET', '/v0/participants/export');
    expect([exported.status, exported.text]).toEqual([200, expect.stringContaining(person.email)]);
    expect(exported.text).toMatch(/#end,1\r\n$/);
    expect((await browser.ask('DELETE', path)).body).toMatchObject({ status: 'CANCELLED' });
    const groups = `/v0/event-occurrences/${ours.group.eventOccurrenceId}/reserved-entries`;
    expect((await browser.ask('GET', groups)).body).toMatchObject({
      data: [{ id: ours.group.id, maxCapacity: 100, usedCapacity: 0 }],
    });
    expect((await stranger.ask('GET', groups)).status).toBe(404);
    const [{ action, actor_id: actor }] = await api.dataSource.query(
      `SELECT action, actor_id FROM audit_log WHERE object_id = $1 ORDER BY id DESC LIMIT 1`,
      [participantId],
    );
    expect([action, actor]).toEqual([
      'participant.cancel',
      (await browser.ask('GET', '/console/v1/me')).body.id,
    ]);
  });

  it('follows its own imports only, and sees the runners of sub-partners', async () => {
    const ours = await charity();
    const sub = await charity({ parentPartnerId: ours.id });
    const { browser } = await member(ours.id);
    const { browser: below } = await member(sub.id);
    const job = await assign(browser, sub.row());
    expect((await below.ask('GET', `${PATH}/${job.jobId}`)).status).toBe(404);
    const count = async (whose: Browser) =>
      ((await whose.ask('GET', '/v0/participants')).body as any).page.totalResults;
    expect([await count(browser), await count(below)]).toEqual([1, 1]);
    await assign(browser, ours.row());
    expect([await count(browser), await count(below)]).toEqual([2, 1]);
    expect((await below.ask('GET', `/v0/partners/${ours.id}`)).status).toBe(404);
  });

  it('can call what keys of partners can, the list with events that have no date, and its own session, and nothing else', async () => {
    const { browser } = await member((await charity()).id);
    const wrong: string[] = [];
    for (const { name, method, path, access } of ALL_OPERATIONS) {
      const { anonymous } = operationsOf(api.app).find((one) => one.name === name) ?? {};
      if (anonymous || name === 'signOut') continue;
      const { status, body } = await browser.ask(
        method,
        path.replace(/\{\w+\}/g, 'x'),
        method === 'GET' ? undefined : {},
      );
      const permitted = !(status === 401 || (status === 403 && !/not enabled/.test(body.message)));
      const isOwn = /^\/console\/v1\/(me|session|sessions)/.test(path);
      const isListed = name === 'listStaffOccurrences';
      if (permitted !== (isOwn || isListed || access.partners === true))
        wrong.push(`${method} ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('finds the events of its places, with and without a date, and no others', async () => {
    const [ours, others] = [await charity(), await charity()];
    const { browser } = await member(ours.id);
    await api.dataSource.query('UPDATE event_occurrences SET start_date = NULL WHERE id = ANY ($1)', [
      [ours.group.eventOccurrenceId, others.group.eventOccurrenceId],
    ]);
    expect((await browser.ask('GET', '/console/v1/event-occurrences')).body).toMatchObject({
      data: [{ id: ours.group.eventOccurrenceId, startDate: null }],
      page: { totalResults: 1 },
    });
  });

  it('is out at once when removed, with a new role impossible', async () => {
    const { browser, id } = await member((await charity()).id);
    const changed = await owner.ask('PATCH', `/console/v1/staff/${id}`, { role: 'OWNER' });
    expect([changed.status, changed.body]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('member of a partner') }),
    ]);
    for (const role of ['PARTNER', 'ADMIN'])
      expect((await owner.ask('POST', '/console/v1/staff', { email: 'x@example.com', role })).status).toBe(
        400,
      );
    expect((await browser.ask('GET', '/v0/participants')).status).toBe(200);
    await owner.ask('DELETE', `/console/v1/staff/${id}`);
    await eventually(async () => (await browser.ask('GET', '/v0/participants')).status === 401);
  });

  it('is refused where the partner is unknown, of others, or the row is forged', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const theirs = await partner(api.dataSource, { organizationId });
    for (const id of [theirs.id, newId(), 'malformed']) {
      const path = `/console/v1/partners/${id}/members`;
      expect((await owner.ask('POST', path, { email: 'x@example.com' })).status).toBe(404);
      expect((await owner.ask('GET', path)).status).toBe(404);
    }
    const { browser, id } = await member((await charity()).id);
    expect((await browser.ask('GET', `/console/v1/partners/${theirs.id}/members`)).status).toBe(403);
    const forge = (sql: string) =>
      api.dataSource.query(`UPDATE staff_members SET ${sql} WHERE id = $1`, [id]);
    await expect(forge('partner_id = NULL')).rejects.toThrow('staff_members_partner');
    await expect(forge(`role = 'OWNER'`)).rejects.toThrow('staff_members_partner');
  });
});

it('forty assignments at once by keys of the partner, of the organizer, and members: the last place has one holder', async () => {
  const ours = await charity({ maxCapacity: 1 });
  const members = await Promise.all([1, 2, 3, 4].map(() => member(ours.id)));
  const jobs = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      if (i % 3 === 0) return assign((members[i % 4] as { browser: Browser }).browser, ours.row());
      const token = i % 3 === 1 ? ours.token : api.token;
      return importRows(api, PATH.slice('/v0/'.length), { assignments: [ours.row()] }, { token });
    }),
  );
  const outcomes = jobs.flatMap(({ results }: any) => results.map(({ outcome }: any) => outcome));
  expect(outcomes.filter((outcome) => outcome === 'IMPORTED')).toHaveLength(1);
  const codes = jobs.flatMap(({ errors }: any) => errors.map(({ code }: any) => code));
  expect(codes).toEqual(Array(39).fill('NO_CAPACITY_REMAINING'));
  const { body } = await api.get('/v0/participants', ours.token);
  expect(body.page.totalResults).toBe(1);
  await expectCountersRight(api.dataSource);
});
