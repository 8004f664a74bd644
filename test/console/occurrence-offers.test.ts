import {
  booking,
  discountCode,
  occurrence,
  organization,
  referral,
  referralProgram,
  referrer,
  reservedEntryGroup,
} from '#libs/testing';
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
const read = <Path extends string = ''>(id: string, path = '' as Path, browser = viewer) =>
  browser.ask('GET', `/console/v1/event-occurrences/${id}${path}`);

describe('the list of event occurrences', () => {
  it('has those without a date first, then the latest, and finds a part of a title', async () => {
    const staff = await signedIn(api, 'VIEWER', undefined, (await organization(api.home)).id);
    const own = <T extends object>(given: T) => ({ organizationId: staff.browser.organizationId, ...given });
    await occurrence(api.home, own({ title: 'Early Run', startDate: '2030-01-01' }) as never);
    await occurrence(
      api.home,
      own({ title: 'Late run', startDate: '2031-01-01', published: false }) as never,
    );
    await occurrence(api.home, own({ title: 'Some day', startDate: null }) as never);
    const list = async (query = '') =>
      (await staff.browser.ask('GET', `/console/v1/event-occurrences${query}`)).body;
    const { data } = await list();
    expect(data.map(({ title, status }: any) => [title, status])).toEqual([
      ['Some day', 'PUBLISHED'],
      ['Late run', 'DRAFT'],
      ['Early Run', 'PUBLISHED'],
    ]);
    expect((await list('?search=RUN')).data.map(({ title }: any) => title)).toEqual([
      'Late run',
      'Early Run',
    ]);
    const { page } = await list('?page[size]=1');
    const { data: second } = await list(`?page[size]=1&page[after]=${encodeURIComponent(page.next)}`);
    expect(second).toMatchObject([{ title: 'Late run', startDate: '2031-01-01' }]);
  });
});

describe('the discount codes of an event occurrence', () => {
  it('are those that name it and those of every occurrence, with the uses left, newest first', async () => {
    const { id } = await occurrence(api.dataSource, mine({}));
    const { id: otherId } = await occurrence(api.dataSource, mine({}));
    const everywhere = await discountCode(api.dataSource, mine({ limitUsage: null }));
    const here = await discountCode(
      api.dataSource,
      mine({ eventOccurrenceIds: [otherId, id], limitUsage: 10, groupName: 'Spring' }),
    );
    await discountCode(api.dataSource, mine({ eventOccurrenceIds: [otherId] }));
    await discountCode(api.dataSource, mine({ deletedAt: new Date() }));
    await booking(api.dataSource, mine({ discountCodeId: here.id, discountUses: 3 }));
    const over = await discountCode(api.dataSource, mine({ eventOccurrenceIds: [id], limitUsage: 1 }));
    await booking(api.dataSource, mine({ discountCodeId: over.id, discountUses: 2 }));
    const { status, body } = await read(id, '/discount-codes');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { code: over.code, usageCount: 2, limitUsage: 1, usesLeft: 0 },
      { code: here.code, usageCount: 3, limitUsage: 10, usesLeft: 7, group: 'Spring', everywhere: false },
      { code: everywhere.code, usesLeft: null, everywhere: true },
    ]);
    expect(body.page.totalResults).toBe(3);
    const search = await read(id, `/discount-codes?search=${here.code.toLowerCase()}`);
    expect(search.body.data).toMatchObject([{ code: here.code }]);
    expect((await read(id, '/discount-codes?search=spri')).body.data).toHaveLength(1);
    const first = await read(id, '/discount-codes?page[size]=2');
    const after = encodeURIComponent(first.body.page.next);
    const second = await read(id, `/discount-codes?page[size]=2&page[after]=${after}`);
    expect([...first.body.data, ...second.body.data]).toEqual(body.data);
  });
});

describe('the referral programmes of an event occurrence', () => {
  it('have their codes and their referrals by status', async () => {
    const { id } = await occurrence(api.dataSource, mine({}));
    const program = await referralProgram(api.dataSource, mine({ eventOccurrenceId: id }));
    const { id: referrerId } = await referrer(api.dataSource, mine({ referralProgramId: program.id }));
    await referrer(api.dataSource, mine({ referralProgramId: program.id }));
    await referral(api.dataSource, mine({ referrerId }));
    await referral(api.dataSource, mine({ referrerId, status: 'REDEEMED' }));
    const cancelled = await booking(api.dataSource, mine({}));
    await referral(api.dataSource, mine({ referrerId, of: cancelled }));
    await api.send('DELETE', `/v0/bookings/${cancelled.id}`, undefined);
    const { status, body } = await read(id, '/referral-programs');
    expect([status, body.data]).toEqual([
      200,
      [
        {
          id: program.id,
          title: program.title,
          referrers: 2,
          activeReferrers: 1,
          referrals: { eligible: 1, redeemed: 1, cancelled: 1 },
        },
      ],
    ]);
    const elsewhere = await occurrence(api.dataSource, mine({}));
    expect((await read(elsewhere.id, '/referral-programs')).body.data).toEqual([]);
  });
});

describe('the reserved groups of an event occurrence', () => {
  it('are its own, and not those of another occurrence of the event', async () => {
    const group = await reservedEntryGroup(api.dataSource, mine({ maxCapacity: 7 }));
    const { id: otherId } = await occurrence(api.dataSource, mine({ eventId: group.eventId }));
    const { body } = await read(group.eventOccurrenceId);
    expect(body.reservedGroups).toEqual([
      { id: group.id, title: group.name, partnerName: expect.any(String), usedCapacity: 0, maxCapacity: 7 },
    ]);
    expect((await read(otherId)).body.reservedGroups).toEqual([]);
  });
});

it('neither shows another organization’s offers, nor is for the race-day desk', async () => {
  const other = await organization(api.dataSource);
  const foreign = await occurrence(api.dataSource, { organizationId: other.id });
  const { id } = await occurrence(api.dataSource, mine({}));
  const theirs = await discountCode(api.dataSource, { organizationId: other.id });
  const { browser: desk } = await signedIn(api, 'RACE_DAY');
  for (const path of ['/discount-codes', '/referral-programs']) {
    expect((await read(foreign.id, path)).status).toBe(404);
    expect((await read('nothing', path)).status).toBe(404);
    expect((await read(id, path, desk)).status).toBe(403);
    expect((await read(id, path)).text).not.toContain(theirs.id);
  }
});
