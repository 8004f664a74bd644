import { booking, key, organization, race, ticket, wave } from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('GET /v0/applications/{id}', () => {
  it('returns every field from the records that the entry refers to', async () => {
    const { organizationId, dataSource } = api;
    const of = await race(dataSource, {
      organizationId,
      title: 'Half marathon',
      discipline: 'ROAD_CYCLING',
      distanceValue: '21.10',
      distanceUnit: 'KM',
      startDate: '2030-07-04',
      startTime: '09:30:00',
      courseId: newId(),
      courseTitle: 'Riverside loop',
    });
    await dataSource.query(
      `UPDATE event_occurrences SET time_zone = 'America/New_York', latitude = 40.7, longitude = -74,
         address = '{"city": "New York", "countryCode": "US"}' WHERE id = $1`,
      [of.eventOccurrenceId],
    );
    await dataSource.query(`UPDATE events SET title = 'City Marathon' WHERE id = $1`, [of.eventId]);
    const start = await wave(dataSource, {
      organizationId,
      raceId: of.id,
      title: 'Wave A',
      startDateTime: new Date('2030-07-04T13:40:00Z'),
      capacity: 40,
    });
    const sold = await ticket(dataSource, {
      organizationId,
      raceId: of.id,
      title: 'Early bird',
      unitSize: 4,
    });
    const fields = [{ id: newId(), key: 'firstName', label: 'First name', type: 'TEXT', value: 'Ada' }];
    const made = await booking(dataSource, {
      organizationId,
      ticketId: sold.id,
      bookerFirstName: 'Grace',
      bookerLastName: 'Hopper',
      bookerEmail: 'grace@example.com',
      bookerPhone: '+1 555 0100',
      bookerType: 'PARTNER',
      referralCodes: ['ADA-9QX2'],
      tracking: { source: 'newsletter' },
      entries: [
        {
          waveId: start.id,
          fields,
          approvalStatus: 'PENDING',
          applicationResolutionType: 'BALLOT',
          ballotDraw: 'Draw 1',
          applicationNotes: 'Asked for proof.',
          tags: ['vip'],
          metadata: { sourcePlatform: 'RACE_ROSTER' },
        },
      ],
    });
    const [entry] = made.entries as [StartListEntry];
    const { status, body } = await api.get(`/v0/applications/${entry.id}`);
    expect(status).toBe(200);
    const micros = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(body).toEqual({
      id: entry.id,
      participantIndex: 0,
      bookingId: made.id,
      externalBookingId: made.externalBookingId,
      externalParticipantId: null,
      transactionId: made.transactionId,
      eventId: of.eventId,
      eventOccurrenceId: of.eventOccurrenceId,
      raceId: of.id,
      ticketId: sold.id,
      ticketTitle: 'Early bird',
      createdAt: micros,
      updatedAt: micros,
      waves: [{ id: start.id, title: 'Wave A', startDateTime: '2030-07-04T13:40:00.000000Z' }],
      fields,
      booker: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '+1 555 0100' },
      bookerType: 'PARTNER',
      originalTicketPrice: { value: 4500, currencyCode: 'GBP' },
      incrementalStatus: 'NON_INCREMENTAL',
      bibNumber: null,
      bookingCodesUsed: { discountCodes: [], referralCodes: ['ADA-9QX2'], reservedEntryCodes: [] },
      reservedEntryUrl: null,
      partnerMarketingOptIns: [],
      tags: ['vip'],
      gdprRedacted: false,
      statusDetails: [],
      tracking: { source: 'newsletter' },
      eventName: 'City Marathon',
      raceName: 'Half marathon',
      raceStartDate: '2030-07-04T13:30:00.000000Z',
      sportId: 'ROAD_CYCLING',
      distanceId: '21.1-KM',
      distances: [{ value: 21.1, unit: 'KM' }],
      disciplineLabel: 'Road cycling',
      course: { id: of.courseId, title: 'Riverside loop', distance: { value: 21.1, unit: 'KM' } },
      eventLocation: {
        coordinates: { latitude: 40.7, longitude: -74 },
        address: { city: 'New York', countryCode: 'US' },
      },
      competitorSize: 4,
      reservedEntryGroupCode: null,
      reservedEntryGroupName: null,
      reservedEntryPartnerExternalIds: null,
      reservedEntryPartnerName: null,
      approvalStatus: 'PENDING',
      applicationResolutionType: 'BALLOT',
      ballotDraw: 'Draw 1',
      notes: 'Asked for proof.',
    });
  });

  it('returns null as the start of a race without a start time', async () => {
    const { organizationId, dataSource } = api;
    const of = await race(dataSource, { organizationId, startDate: '2030-07-04', startTime: null });
    const { id: ticketId } = await ticket(dataSource, { organizationId, raceId: of.id });
    const { entries } = await booking(dataSource, { organizationId, ticketId });
    const { body } = await api.get(`/v0/applications/${entries[0]?.id}`);
    expect(body.raceStartDate).toBeNull();
  });

  it('returns null if a race has no day, distance or course', async () => {
    const { organizationId, dataSource } = api;
    const of = await race(dataSource, {
      organizationId,
      startDate: null,
      startTime: null,
      distanceValue: null,
      distanceUnit: null,
      discipline: null,
    });
    const { id: ticketId } = await ticket(dataSource, { organizationId, raceId: of.id });
    const { entries } = await booking(dataSource, { organizationId, ticketId });
    const { body } = await api.get(`/v0/applications/${entries[0]?.id}`);
    expect(body).toMatchObject({
      raceStartDate: null,
      sportId: null,
      distanceId: null,
      distances: [],
      disciplineLabel: null,
      course: null,
      waves: [],
    });
  });

  it('returns whether a donation was made only if the ticket asks for one', async () => {
    const { organizationId, dataSource } = api;
    const { id: asking } = await ticket(dataSource, { organizationId, asksDonation: true });
    const given = await booking(dataSource, {
      organizationId,
      ticketId: asking,
      entries: [{ hasDonated: true }, { hasDonated: null }],
    });
    const silent = await booking(dataSource, { organizationId, entries: [{ hasDonated: true }] });
    const read = async (entry?: StartListEntry) => (await api.get(`/v0/applications/${entry?.id}`)).body;
    expect((await read(given.entries[0])).hasDonated).toBe(true);
    expect((await read(given.entries[1])).hasDonated).toBe(false);
    expect(await read(silent.entries[0])).not.toHaveProperty('hasDonated');
    const { body } = await api.get('/v0/applications?page%5Bsize%5D=500');
    const listed = body.data.filter((one: { bookingId: string }) => one.bookingId === given.id);
    expect(listed.map((one: { hasDonated: boolean }) => one.hasDonated)).toEqual([true, false]);
  });

  it('returns metadata if it is requested', async () => {
    const { entries } = await booking(api.dataSource, {
      organizationId: api.organizationId,
      entries: [{ metadata: { sourcePlatform: 'RACE_ROSTER', importRow: 3 } }],
    });
    const path = `/v0/applications/${entries[0]?.id}`;
    expect((await api.get(path)).body).not.toHaveProperty('metadata');
    const { body } = await api.get(`${path}?extendMetadata=true`);
    expect(body.metadata).toEqual({
      sourcePlatform: 'RACE_ROSTER',
      importRow: 3,
      startline: {},
    });
  });

  it('returns 404 for other organizations, and for ids that are not of applications', async () => {
    const { organizationId, dataSource } = api;
    const { entries } = await booking(dataSource, { organizationId });
    const { token } = await key(dataSource, { organizationId: (await organization(dataSource)).id });
    const path = `/v0/applications/${entries[0]?.id}`;
    expect((await api.get(path, token)).status).toBe(404);
    expect((await api.get(`/v0/applications/${entries[0]?.participantId}`)).status).toBe(404);
    expect((await api.get('/v0/applications/17')).status).toBe(404);
    expect((await api.get(`${path}?features=waves`)).status).toBe(400);
  });
});

describe('GET /v0/applications', () => {
  it('lists entries of every status, oldest first, with a total', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const made = await booking(api.dataSource, {
      organizationId,
      entries: [
        { approvalStatus: 'PENDING' },
        { approvalStatus: 'APPROVED' },
        { approvalStatus: 'REJECTED' },
        { approvalStatus: 'WITHDRAWN' },
        { cancelledAt: new Date() },
        { gdprRedacted: true, emailNormalized: null },
      ],
    });
    const { body } = await api.get('/v0/applications', token);
    expect(ids(body)).toEqual(made.entries.map(({ id }) => id));
    expect(body.page.totalResults).toBe(6);
    const newest = await api.get('/v0/applications?sort%5BcreatedAt%5D=-1&page%5Bsize%5D=2', token);
    expect(ids(newest.body)).toEqual(
      made.entries
        .slice(-2)
        .reverse()
        .map(({ id }) => id),
    );
    expect(newest.body.page.totalResults).toBe(6);
  });

  it('filters by creation time, excluding the bounds', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const at = (second: number) => ({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) });
    const made = await booking(api.dataSource, { organizationId, entries: [at(1), at(2), at(3)] });
    const query =
      'createdAt%5Bafter%5D=2026-01-01T00:00:01Z&createdAt%5Bbefore%5D=2026-01-01T01:00:03%2B01:00';
    const { body } = await api.get(`/v0/applications?${query}`, token);
    expect(ids(body)).toEqual([made.entries[1]?.id]);
    expect(body.page.totalResults).toBe(1);
  });
});

describe('GET /v0/events/{id}/applications', () => {
  it('lists the applications of the event only, with a total', async () => {
    const { organizationId, dataSource } = api;
    const made = await booking(dataSource, { organizationId, entries: 3 });
    await booking(dataSource, { organizationId });
    const { body } = await api.get(`/v0/events/${made.eventId}/applications`);
    expect(ids(body)).toEqual(made.entries.map(({ id }) => id));
    expect(body.page.totalResults).toBe(3);
  });
});
