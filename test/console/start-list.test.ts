import { booking, organization, race, ticket, wave } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let desk: Browser;
let manager: Browser;
beforeAll(async () => {
  api = await sharedApi();
  desk = (await signedIn(api, 'RACE_DAY')).browser;
  manager = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(async () => {
  await api?.close();
});

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const answers = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({
    ...{ id: newId(), key, label: key, type: 'TEXT', value },
  }));

describe('the start list of a race', () => {
  it('has who starts, by wave, with answers for those who may read them', async () => {
    const { id: raceId } = await race(api.dataSource, mine({}));
    const { id: ticketId } = await ticket(api.dataSource, mine({ raceId }));
    const { id: waveId, title } = await wave(api.dataSource, mine({ raceId, title: 'Wave A' }));
    const ada = answers({
      firstName: 'Ada',
      lastName: 'Lovelace',
      street: 'Harbour Road 12',
      city: 'Bristol',
    });
    const { entries } = await booking(
      api.dataSource,
      mine({
        ticketId,
        entries: [
          { fields: ada, waveId, bibNumber: 'L-1', raceDayFields: [{ id: 'checkIn', value: true }] },
          { approvalStatus: 'PENDING' },
          { cancelledAt: new Date() },
          { gdprRedacted: true },
          {},
        ],
      }),
    );
    const path = `/console/v1/races/${raceId}/start-list` as const;
    const { body } = await manager.ask('GET', `${path}?answers=city,street,city2`);
    expect(body.data).toEqual([
      expect.objectContaining({
        ...{
          participantId: entries[0]?.participantId,
          firstName: 'Ada',
          lastName: 'Lovelace',
          bibNumber: 'L-1',
        },
        ...{ wave: { id: waveId, title, startDateTime: null }, checkedIn: true },
        answers: ['Bristol', 'Harbour Road 12', null],
      }),
      expect.objectContaining({ participantId: entries[4]?.participantId, wave: null, checkedIn: false }),
    ]);
    expect((await manager.ask('GET', `${path}?waveId=${waveId}`)).body.page.totalResults).toBe(1);
    const atDesk = await desk.ask('GET', `${path}?answers=city`);
    expect([atDesk.body.data[0].lastName, atDesk.body.data[0].answers]).toEqual(['Lovelace', []]);
    const races = await desk.ask('GET', '/console/v1/race-day/races');
    expect(races.body.data[0]).toMatchObject({ id: raceId, waves: [{ id: waveId, title }] });
  });

  it('is not another organization’s, nor for viewers', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { id } = await race(api.dataSource, { organizationId });
    expect((await desk.ask('GET', `/console/v1/races/${id}/start-list`)).status).toBe(404);
    const { browser: viewer } = await signedIn(api, 'VIEWER');
    expect((await viewer.ask('GET', `/console/v1/races/${id}/start-list`)).status).toBe(403);
  });
});

describe('a parcel', () => {
  const setParcel = (id: string, shipping: object, more = {}, browser = desk) =>
    browser.ask('PATCH', `/console/v1/participants/${id}/race-day`, { shipping, ...more });
  const shown = async (id: string) =>
    (await api.get(`/v0/participants/${id}`)).body.raceDayDetails.shipping ?? null;
  const became = (id: string, status: string) =>
    eventually(async () => {
      const shipping = await shown(id);
      return shipping?.status === status && shipping;
    });

  it('is sent, delivered and returned by staff, through the log of the race day', async () => {
    const { entries } = await booking(api.dataSource, mine({}));
    const id = entries[0]?.participantId as string;
    expect(
      (await setParcel(id, { status: 'SHIPPED', carrier: 'Royal Mail', trackingNumber: 'RM1' })).status,
    ).toBe(200);
    const sent = await became(id, 'SHIPPED');
    expect(sent).toMatchObject({
      carrier: 'Royal Mail',
      trackingNumber: 'RM1',
      shippedAt: expect.any(String),
    });
    await setParcel(id, { status: 'DELIVERED' });
    // When it was sent, and with whom, stays.
    expect(await became(id, 'DELIVERED')).toEqual({ ...sent, status: 'DELIVERED' });
    await setParcel(id, { status: 'RETURNED' });
    await became(id, 'RETURNED');
    const log = await desk.ask('GET', `/console/v1/participants/${id}/race-day-messages`);
    expect(log.body.data.map(({ source }: { source: string }) => source)).toEqual([
      'RACE_DAY',
      'RACE_DAY',
      'RACE_DAY',
    ]);
    const found = await desk.ask('GET', `/console/v1/participants?search=${id.slice(0, 2)}zz`);
    expect(found.status).toBe(200);
  });

  it('never replaces a newer message, and can return from who has cancelled', async () => {
    const made = await booking(api.dataSource, mine({}));
    const id = made.entries[0]?.participantId as string;
    await setParcel(id, { status: 'DELIVERED' });
    await became(id, 'DELIVERED');
    await setParcel(id, { status: 'SHIPPED' }, { changedAt: '2020-01-01T00:00:00Z' });
    await api.send('DELETE', `/v0/bookings/${made.id}`, undefined);
    expect((await setParcel(id, { status: 'RETURNED' })).status).toBe(200);
    await became(id, 'RETURNED');
    expect(
      (await desk.ask('PATCH', `/console/v1/participants/${id}/race-day`, { bibNumber: '1' })).status,
    ).toBe(400);
  });

  it('is refused to keys, with another status, and to an empty body', async () => {
    const { entries } = await booking(api.dataSource, mine({}));
    const id = entries[0]?.participantId as string;
    expect(
      (await api.send('PATCH', `/v0/participants/${id}/race-day`, { shipping: { status: 'SHIPPED' } }))
        .status,
    ).toBe(400);
    expect((await setParcel(id, { status: 'LOST' })).status).toBe(400);
    expect((await setParcel(id, { status: 'SHIPPED', carrier: ' ' })).status).toBe(400);
    expect((await desk.ask('PATCH', `/console/v1/participants/${id}/race-day`, {})).status).toBe(400);
    expect((await setParcel(newId(), { status: 'SHIPPED' })).status).toBe(404);
    expect(
      (await setParcel(id, { status: 'SHIPPED' }, {}, (await signedIn(api, 'VIEWER')).browser)).status,
    ).toBe(403);
  });
});
