import {
  booking,
  discountCode,
  organization,
  partner,
  referral,
  referralProgram,
  referrer,
  reservedEntryGroup,
} from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let viewer: Browser;
beforeAll(async () => {
  api = await sharedApi();
  viewer = (await signedIn(api, 'VIEWER')).browser;
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const get = <Path extends string>(path: Path, browser = viewer) => browser.ask('GET', `/console/v1/${path}`);

/** A partner with a group of which a booking has two places. */
async function partnerWithPlaces() {
  const { id: partnerId, name } = await partner(api.dataSource, mine({}));
  const group = await reservedEntryGroup(
    api.dataSource,
    mine({ partnerId, maxCapacity: 5, reallocateOnCancel: true }),
  );
  const { ticketId, id: reservedEntryGroupId } = group;
  const made = await booking(
    api.dataSource,
    mine({
      ticketId,
      entries: [1, 2].map(() => ({ reservedEntryGroupId, holdsReservedPlace: true })),
    }),
  );
  return { partnerId, name, group, made };
}

describe('the partners of an organization', () => {
  it('have their places by group, the newest first, and are found by name and parent', async () => {
    const { partnerId, name, group } = await partnerWithPlaces();
    const sub = await partner(api.dataSource, mine({ parentPartnerId: partnerId }));
    const { status, body } = await get('partners');
    expect(status).toBe(200);
    expect(body.data.slice(0, 2)).toMatchObject([
      { id: sub.id, parentPartnerId: partnerId, parentName: name, groups: 0, maxCapacity: 0 },
      { id: partnerId, subPartners: 1, groups: 1, maxCapacity: 5, usedCapacity: 2 },
    ]);
    const found = await get(`partners?search=${encodeURIComponent(name.toUpperCase())}`);
    expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(partnerId);
    expect((await get(`partners?parentPartnerId=${partnerId}`)).body.data).toMatchObject([{ id: sub.id }]);
    const groups = await get(`reserved-entry-groups?partnerId=${partnerId}`);
    expect(groups.body.data).toMatchObject([
      { id: group.id, partnerName: name, maxCapacity: 5, usedCapacity: 2, code: group.code },
    ]);
    await reservedEntryGroup(api.dataSource, mine({ partnerId, maxCapacity: 2_147_483_647 }));
    const most = await get(`partners?search=${encodeURIComponent(name)}`);
    expect(most.body.data).toMatchObject([{ maxCapacity: 2_147_483_647, usedCapacity: 2 }]);
  });

  it('are created and changed by the operations of the API', async () => {
    const { browser: manager } = await signedIn(api, 'MANAGER');
    const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
    const made = await manager.ask('POST', '/v0/partners', { name: 'Harbour Hospice', contacts });
    const changed = await manager.ask('PATCH', `/v0/partners/${made.body.id}`, { name: 'Harbour House' });
    expect([changed.status, changed.body.name]).toEqual([200, 'Harbour House']);
    expect((await viewer.ask('POST', '/v0/partners', { name: 'No', contacts })).status).toBe(403);
  });
});

describe('a reserved group', () => {
  it('shows who has its places, also those who gave them back', async () => {
    const { group, made, name } = await partnerWithPlaces();
    await api.send('DELETE', `/v0/bookings/${made.id}`, undefined);
    expect((await get(`reserved-entry-groups/${group.id}`)).body).toMatchObject({
      partnerName: name,
      usedCapacity: 0,
    });
    const { body } = await get(`reserved-entry-groups/${group.id}/entries`);
    expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual(
      made.entries.map(({ id }) => id).sort(),
    );
    expect(body.data[0]).toMatchObject({ cancelled: true, participantId: expect.any(String) });
  });
});

describe('a discount code', () => {
  it('shows the entries of bookings that used it', async () => {
    const { id: partnerId } = await partner(api.dataSource, mine({}));
    const code = await discountCode(api.dataSource, mine({ partnerId, limitUsage: 4 }));
    const used = await booking(
      api.dataSource,
      mine({ discountCodeId: code.id, discountUses: 1, entries: 2 }),
    );
    await booking(api.dataSource, mine({}));
    expect((await get(`discount-codes?partnerId=${partnerId}`)).body.data).toMatchObject([{ id: code.id }]);
    expect((await get(`discount-codes/${code.id}`)).body).toMatchObject({ usageCount: 1, usesLeft: 3 });
    const { body } = await get(`discount-codes/${code.id}/entries`);
    expect(body.page.totalResults).toBe(2);
    expect(new Set(body.data.map(({ bookingId }: { bookingId: string }) => bookingId))).toEqual(
      new Set([used.id]),
    );
  });
});

describe('the limit of a discount code', () => {
  it('is raised or removed by managers, and never lowered, and a code can end', async () => {
    const { browser: manager } = await signedIn(api, 'MANAGER');
    const { id } = await discountCode(
      api.dataSource,
      mine({ limitUsage: 3, startDateTime: new Date('2000-01-01T00:00:00Z') }),
    );
    const to = (limitUsage: unknown, browser = manager) =>
      browser.ask('PATCH', `/console/v1/discount-codes/${id}`, { limitUsage });
    expect((await to(5)).body).toMatchObject({ id, limitUsage: 5, usesLeft: 5 });
    expect((await to(5)).status).toBe(200);
    for (const wrong of [4, 0, 1.5, '6', 2_000_000_000]) expect((await to(wrong)).status).toBe(400);
    expect((await to(6, viewer)).status).toBe(403);
    expect((await to(null)).body).toMatchObject({ limitUsage: null, usesLeft: null });
    expect((await to(9)).body.message).toContain('must not be below the current limit (none)');
    const end = (endDateTime: unknown) =>
      manager.ask('PATCH', `/console/v1/discount-codes/${id}`, { endDateTime });
    expect((await end('2026-03-01T12:00:00+01:00')).body).toMatchObject({
      ...{ limitUsage: null, endDateTime: '2026-03-01T11:00:00.000000Z' },
    });
    expect((await end('tomorrow')).status).toBe(400);
    expect((await end('1999-01-01T00:00:00Z')).body.message).toContain('must be later than startDateTime');
    const log = await manager.ask('GET', `/console/v1/audit-log?objectId=${id}`);
    expect(log.body.data).toMatchObject([
      { action: 'discount_code.update', changes: [{ field: 'endDateTime' }] },
      { action: 'discount_code.update', changes: [{ field: 'limitUsage', from: '5', to: null }] },
      { action: 'discount_code.update', changes: [{ field: 'limitUsage', from: '3', to: '5' }] },
    ]);
    const other = await organization(api.dataSource);
    const { browser: stranger } = await signedIn(api, 'OWNER', undefined, other.id);
    expect((await to(6, stranger)).status).toBe(404);
  });
});

describe('a referral programme', () => {
  it('shows who was referred, and by whom', async () => {
    const { id: referralProgramId } = await referralProgram(api.dataSource, mine({}));
    const {
      id: referrerId,
      generatedReferralCode,
      ownerBookingIds,
    } = await referrer(api.dataSource, mine({ referralProgramId }));
    const [owner] = await api.dataSource
      .getRepository(StartListEntry)
      .findBy({ bookingId: ownerBookingIds[0] as string });
    const referred = await booking(api.dataSource, mine({}));
    await referral(api.dataSource, mine({ referrerId, of: referred, status: 'REDEEMED' }));
    const { status, body } = await get(`referral-programs/${referralProgramId}/referrals`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      {
        id: referred.entries[0]?.id,
        status: 'REDEEMED',
        code: generatedReferralCode,
        referrerId: owner?.participantId,
      },
    ]);
  });
});

it('neither shows another organization’s partners, groups and codes, nor is for the race-day desk', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const group = await reservedEntryGroup(api.dataSource, { organizationId });
  const code = await discountCode(api.dataSource, { organizationId });
  const program = await referralProgram(api.dataSource, { organizationId });
  for (const id of [group.id, newId()]) {
    expect((await get(`reserved-entry-groups/${id}`)).status).toBe(404);
    expect((await get(`reserved-entry-groups/${id}/entries`)).status).toBe(404);
  }
  expect((await get(`discount-codes/${code.id}`)).status).toBe(404);
  expect((await get(`discount-codes/${code.id}/entries`)).status).toBe(404);
  expect((await get(`referral-programs/${program.id}/referrals`)).status).toBe(404);
  const { browser: desk } = await signedIn(api, 'RACE_DAY');
  for (const path of ['partners', 'reserved-entry-groups', 'discount-codes'] as const)
    expect((await get(path, desk)).status).toBe(403);
});
