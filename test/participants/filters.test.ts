import { type BookingWithEntries, booking, key, organization, race, ticket } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

/** The exact filters that the lists of applications and participants share. */

let api: TestApi;
let wanted: BookingWithEntries;
beforeAll(async () => {
  api = await sharedApi();
  const { organizationId, dataSource } = api;
  wanted = await booking(dataSource, {
    organizationId,
    externalBookingId: 'ORDER-7',
    entries: [{ bibNumber: '1815', emailNormalized: 'ada@example.com', externalParticipantId: 'RUNNER-7' }],
  });
  await booking(dataSource, {
    organizationId,
    entries: [{ bibNumber: '1816', emailNormalized: 'grace@example.com', externalParticipantId: 'RUNNER-8' }],
  });
});
afterAll(() => api.close());

const entryOf = (booked: BookingWithEntries) => booked.entries[0] as BookingWithEntries['entries'][number];

const FILTERS: Record<string, (booked: BookingWithEntries) => string> = {
  eventOccurrenceId: (booked) => booked.eventOccurrenceId,
  raceId: (booked) => entryOf(booked).raceId,
  ticketId: (booked) => entryOf(booked).ticketId,
  bibNumber: () => ' 1815 ',
  email: () => ' ADA@example.com ',
  externalParticipantId: () => 'RUNNER-7',
  externalBookingId: () => 'ORDER-7',
};

describe.each(['applications', 'participants'])('GET /v0/%s', (list) => {
  const ask = async (filter: Record<string, string>, token?: string) =>
    (await api.get(`/v0/${list}?${new URLSearchParams(filter)}`, token)).body;

  it.each(Object.keys(FILTERS))('returns exactly the entries of a %s', async (name) => {
    const value = FILTERS[name]?.(wanted) ?? '';
    const { data, page } = await ask({ [name]: value });
    const { id, participantId } = entryOf(wanted);
    expect(data.map((item: { id: string }) => item.id)).toEqual([
      list === 'participants' ? participantId : id,
    ]);
    expect(page.totalResults).toBe(1);
    expect(data[0]).toMatchObject({ externalBookingId: 'ORDER-7', externalParticipantId: 'RUNNER-7' });
  });

  it('reads a space in an email as the plus that was not escaped', async () => {
    const { dataSource, organizationId } = api;
    const entries = [{ emailNormalized: 'ada+10k@example.com' }];
    const { id } = await booking(dataSource, { organizationId, entries });
    for (const email of ['ada+10k@example.com', 'ada%2B10k@example.com']) {
      const { body } = await api.get(`/v0/${list}?email=${email}`);
      expect(body.data).toContainEqual(expect.objectContaining({ bookingId: id }));
    }
  });

  it('combines filters', async () => {
    const both = { email: 'ada@example.com', bibNumber: '1815' };
    expect((await ask(both)).page.totalResults).toBe(1);
    expect((await ask({ ...both, bibNumber: '1816' })).page.totalResults).toBe(0);
  });

  it.each(Object.keys(FILTERS))('returns nothing of another organization for a %s', async (name) => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const { data, page } = await ask({ [name]: FILTERS[name]?.(wanted) ?? '' }, token);
    expect([data, page.totalResults]).toEqual([[], 0]);
  });

  it('rejects a malformed id', async () => {
    const { status, body } = await api.get(`/v0/${list}?raceId=7`);
    expect([status, body.message]).toEqual([400, 'raceId must be an id: a UUID of version 7, in lower case']);
  });
});

it('filters participants by status, which each participant has', async () => {
  const { organizationId, dataSource } = api;
  const { id: raceId } = await race(dataSource, { organizationId });
  const { id: ticketId } = await ticket(dataSource, { organizationId, raceId });
  const [kept, cancelled] = [
    await booking(dataSource, { organizationId, ticketId }),
    await booking(dataSource, { organizationId, ticketId }),
  ].map(({ id, entries }) => ({ id, participantId: entries[0]?.participantId as string })) as [
    { id: string; participantId: string },
    { id: string; participantId: string },
  ];
  expect((await api.send('DELETE', `/v0/bookings/${cancelled.id}`, undefined)).status).toBe(200);
  for (const path of ['/v0/participants', `/v0/races/${raceId}/participants`]) {
    for (const [status, { participantId }] of Object.entries({ CONFIRMED: kept, CANCELLED: cancelled })) {
      const { body } = await api.get(`${path}?status=${status}&raceId=${raceId}`);
      expect(body.data).toEqual([expect.objectContaining({ participantId, status })]);
      expect(body.page.totalResults).toBe(1);
      expect((await api.get(`/v0/participants/${participantId}`)).body.status).toBe(status);
    }
  }
  expect((await api.get('/v0/participants?status=cancelled')).status).toBe(400);
});

it('filters the participants of a race further', async () => {
  const { organizationId, dataSource } = api;
  const { id: raceId } = await race(dataSource, { organizationId });
  const { id: ticketId } = await ticket(dataSource, { organizationId, raceId });
  await booking(dataSource, { organizationId, ticketId, entries: [{ bibNumber: '1' }, { bibNumber: '2' }] });
  const { body } = await api.get(`/v0/races/${raceId}/participants?bibNumber=2`);
  expect(body.data.map(({ bibNumber }: { bibNumber: string }) => bibNumber)).toEqual(['2']);
});
