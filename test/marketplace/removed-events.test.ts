import { key, occurrence, organization } from '#libs/testing';
import { Organization } from '#platform/database';
import { type Browser, signedIn } from '../console/console';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
let token: string;
let browser: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT: '100000' });
  ({ token } = await key(api.home, { organizationId: api.organizationId, kind: 'MARKETPLACE' }));
  ({ browser } = await signedIn(api, 'OWNER'));
});
afterAll(() => api.close());

type Json = Record<string, any>;
const EVER = 'startDate[gte]=2000-01-01';
const ask = async (path: string, query: string): Promise<Json[]> =>
  (await api.get(encodeURI(`/marketplace/v1/${path}?pageSize=200&${query}`), token)).body.events;
const shown = (query = EVER) => ask('events/', query);
const removed = (query = EVER) => ask('removed-events', query);
const idsOf = (events: Json[]) => events.map(({ id }) => id).sort();

it('lists what was shown and is not any more, whatever the reason, and never a draft', async () => {
  const of = { organizationId: api.organizationId };
  const on = async (change: Json) => {
    const { id } = await occurrence(api.dataSource, { ...of, startDate: '2031-05-04' });
    await api.dataSource.getRepository('event_occurrences').update({ ...of, id }, change);
    return id;
  };
  const reasons = [
    { published: false },
    { discoverable: false },
    { calledOff: 'POSTPONED' },
    { calledOff: 'CANCELLED' },
    { startDate: null },
  ];
  const ids = await Promise.all(reasons.map(on));
  const draft = await occurrence(api.dataSource, { ...of, startDate: '2031-05-04', published: false });
  await api.dataSource
    .getRepository('event_occurrences')
    .update({ ...of, id: draft.id }, { title: 'Still a draft' });
  const inYear = 'startDate[gte]=2031-01-01&startDate[lte]=2031-12-31';
  expect(idsOf(await removed(inYear))).toEqual([...ids].sort());
  expect((await removed(inYear)).every(({ startDate }) => startDate === '2031-05-04')).toBe(true);

  await api.dataSource.getRepository('event_occurrences').update({ ...of, id: ids[0] }, { published: true });
  expect(idsOf(await removed(inYear))).toEqual(ids.slice(1).sort());
});

it('lists the events of an organization that was closed, until it is reopened', async () => {
  const { id: organizationId } = await organization(api.home);
  const { id } = await occurrence(api.home, { organizationId, startDate: '2032-05-04' });
  const inYear = 'startDate[gte]=2032-01-01&startDate[lte]=2032-12-31';
  const since = new Date().toISOString();
  const close = (deletedAt: Date | null) =>
    api.home.getRepository(Organization).update({ id: organizationId }, { deletedAt });
  await close(new Date());
  expect([idsOf(await shown(inYear)), idsOf(await removed(`${inYear}&lastModified[gte]=${since}`))]).toEqual([
    [],
    [id],
  ]);
  await close(null);
  expect([idsOf(await shown(inYear)), idsOf(await removed(inYear))]).toEqual([[id], []]);
});

/** A mirror that reads only what changed. */
class Mirror {
  private readonly events = new Map<string, Json>();
  private since = '2000-01-01T00:00:00Z';

  async run(): Promise<Json[]> {
    const begun = new Date(Date.now() - 1).toISOString();
    const query = `${EVER}&lastModified[gte]=${this.since}`;
    for (const event of await shown(query)) this.events.set(event.id, event);
    for (const { id } of await removed(query)) this.events.delete(id);
    this.since = begun;
    return [...this.events.values()].sort((a, b) => (a.startDate + a.id < b.startDate + b.id ? -1 : 1));
  }
}

it('keeps a mirror equal to the list through publications, withdrawals, cancellations and postponements', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const records: Json[] = Array.from({ length: 20 }, (_, n) => ({
    record: 'occurrence',
    event: 'mirrored',
    slug: `mirrored-${n}`,
    title: `Mirrored ${n}`,
    startDate: `20${30 + (n % 5)}-05-04`,
    timeZone: 'Europe/London',
    published: false,
  }));
  const put = async (some: Json[]) => {
    const { status, body } = await browser.ask('PUT', '/console/v1/catalogue', { records: some });
    expect([status, body.message]).toEqual([200, undefined]);
  };
  await put([{ record: 'event', slug: 'mirrored', title: 'Mirrored' }, ...records]);
  const moves: ((of: Json) => void)[] = [
    (of) => Object.assign(of, { published: true, status: null }),
    (of) => Object.assign(of, { published: true, discoverable: true, status: null }),
    (of) => Object.assign(of, { published: false }),
    (of) => Object.assign(of, { discoverable: !of.discoverable }),
    (of) => Object.assign(of, { status: 'CANCELLED' }),
    (of) => Object.assign(of, { status: 'POSTPONED' }),
    (of) =>
      Object.assign(of, {
        status: null,
        startDate: random(4) ? `203${random(9)}-06-0${1 + random(9)}` : null,
      }),
    (of) => Object.assign(of, { title: `Renamed ${random(1000)}` }),
  ];
  const mirror = new Mirror();
  let moved = 0;
  while (moved < 150) {
    const some = new Set<Json>();
    for (let n = 1 + random(8); n > 0; n -= 1) {
      const of = records[random(records.length)] as Json;
      moves[random(moves.length)]?.(of);
      some.add(of);
      moved += 1;
    }
    await put([...some]);
    const expected = await shown();
    expect(await mirror.run()).toEqual(expected);
    expect((await removed()).filter(({ id }) => expected.some((event) => event.id === id))).toEqual([]);
  }
});
