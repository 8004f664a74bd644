import {
  booking,
  discountCode,
  insert,
  key,
  organization,
  partner,
  race,
  reservedEntryGroup,
  ticket,
  wave,
} from '#libs/testing';
import { newId, type StartListEntry, Team } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
const participantIds = (entries: StartListEntry[]) => entries.map(({ participantId }) => participantId);

async function strangers() {
  const { id: organizationId } = await organization(api.dataSource);
  return { organizationId, token: (await key(api.dataSource, { organizationId })).token };
}

describe('GET /v0/participants/{id}', () => {
  it('returns the properties of the participant beyond the application', async () => {
    const { organizationId, dataSource } = api;
    const charity = await partner(dataSource, {
      organizationId,
      name: 'River Trust',
      externalIds: { ENTHUSE: 'EN-1', JUSTGIVING: 'JG-1' },
    });
    const sponsor = await partner(dataSource, { organizationId, name: 'Shoe maker', type: 'SPONSOR' });
    const refused = await partner(dataSource, { organizationId, name: 'Not wanted' });
    const group = await reservedEntryGroup(dataSource, {
      organizationId,
      partnerId: charity.id,
      name: 'Runners of the River Trust',
      code: 'RIVER-26',
      url: 'https://example.com/river',
    });
    const code = await discountCode(dataSource, { organizationId, code: 'SPRING-15' });
    const team = await insert(dataSource, Team, {
      organizationId,
      eventOccurrenceId: group.eventOccurrenceId,
      name: 'Harbour Harriers',
    });
    const made = await booking(dataSource, {
      organizationId,
      ticketId: group.ticketId,
      discountCodeId: code.id,
      entries: [
        {
          incremental: true,
          partnerId: charity.id,
          reservedEntryGroupId: group.id,
          partnerMarketingOptIns: [
            { partnerId: charity.id, optedIn: true },
            { partnerId: sponsor.id, optedIn: true },
            { partnerId: refused.id, optedIn: false },
            { partnerId: newId(), optedIn: true },
          ],
          teamId: team.id,
          teamRoles: ['Captain'],
          participantNotes: ['Starts with a guide runner.'],
          bibNumber: '1042',
          bibClaim: '1042',
          bibChangedAt: new Date('2026-05-01T10:00:00Z'),
          shippingStatus: 'DELIVERED',
          shippedAt: new Date('2026-05-02T10:00:00Z'),
          shippingCarrier: 'Royal Mail',
          trackingNumber: 'RM1GB',
          trackingUrl: 'https://track.example/RM1GB',
          shippingChangedAt: new Date('2026-05-03T10:00:00Z'),
          raceDayFields: [{ id: newId(), value: 'collected' }],
          resultUrl: 'https://results.example/1042',
          resultSubmittedAt: new Date('2026-05-05T10:00:00Z'),
          externalParticipantId: 'runner-4711',
        },
      ],
    });
    const [entry] = made.entries as [StartListEntry];
    const { status, body } = await api.get(`/v0/participants/${entry.participantId}?extendMetadata=true`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: entry.participantId,
      participantId: entry.participantId,
      applicationId: entry.id,
      bibNumber: '1042',
      incrementalStatus: 'INCREMENTAL',
      bookingSource: 'EXTERNAL',
      bookingCodesUsed: {
        discountCodes: ['SPRING-15'],
        referralCodes: [],
        reservedEntryCodes: ['RIVER-26'],
      },
      reservedEntryUrl: 'https://example.com/river',
      reservedEntryGroupCode: 'RIVER-26',
      reservedEntryGroupName: 'Runners of the River Trust',
      reservedEntryPartnerName: 'River Trust',
      reservedEntryPartnerExternalIds: { ENTHUSE: 'EN-1', JUSTGIVING: 'JG-1' },
      charityOptIn: ['River Trust'],
      team: { id: team.id, name: 'Harbour Harriers' },
      notes: ['Starts with a guide runner.'],
      raceDayDetails: {
        customFields: entry.raceDayFields,
        shipping: {
          status: 'DELIVERED',
          shippedAt: '2026-05-02T10:00:00.000000Z',
          carrier: 'Royal Mail',
          trackingNumber: 'RM1GB',
          trackingUrl: 'https://track.example/RM1GB',
        },
      },
      resultSubmission: { url: 'https://results.example/1042', submittedAt: '2026-05-05T10:00:00.000000Z' },
    });
    expect(body.team).not.toHaveProperty('roles');
    expect(body.metadata).toEqual({
      startline: {
        externalParticipantId: 'runner-4711',
        bibChangedAt: '2026-05-01T10:00:00.000000Z',
        shippingChangedAt: '2026-05-03T10:00:00.000000Z',
      },
    });
    for (const name of ['approvalStatus', 'applicationResolutionType', 'ballotDraw', 'hasDonated']) {
      expect(body).not.toHaveProperty(name);
    }
  });

  it('returns null, or an empty list, if there is no value', async () => {
    const { organizationId, dataSource } = api;
    const { entries } = await booking(dataSource, { organizationId, source: 'WEBSITE' });
    const { body } = await api.get(`/v0/participants/${entries[0]?.participantId}`);
    expect(body).toMatchObject({
      team: null,
      resultSubmission: null,
      raceDayDetails: { customFields: [], shipping: null },
      notes: [],
      charityOptIn: [],
      bookingSource: 'PLATFORM',
      reservedEntryPartnerExternalIds: null,
    });
  });

  it('reports when another participant of the race holds the bib that it claims', async () => {
    const { organizationId, dataSource } = api;
    const { entries } = await booking(dataSource, {
      organizationId,
      entries: [
        { bibNumber: '7', bibClaim: '7' },
        { bibNumber: null, bibClaim: '7' },
      ],
    });
    const errorsOf = async (entry?: StartListEntry) =>
      (await api.get(`/v0/participants/${entry?.participantId}`)).body.raceDayErrors;
    expect(await errorsOf(entries[0])).toEqual([]);
    expect(await errorsOf(entries[1])).toEqual(['BIB_NUMBER_TAKEN']);
  });

  it('returns 404 for entries that are not approved, application ids and other organizations', async () => {
    const { organizationId, dataSource } = api;
    const { entries } = await booking(dataSource, {
      organizationId,
      entries: [{}, { approvalStatus: 'PENDING' }],
    });
    const path = `/v0/participants/${entries[0]?.participantId}`;
    expect((await api.get(path)).status).toBe(200);
    expect((await api.get(path, (await strangers()).token)).status).toBe(404);
    expect((await api.get(`/v0/participants/${entries[1]?.participantId}`)).status).toBe(404);
    expect((await api.get(`/v0/participants/${entries[0]?.id}`)).status).toBe(404);
  });
});

describe('GET /v0/participants', () => {
  it('lists approved entries, including cancelled ones, with a total', async () => {
    const { organizationId, token } = await strangers();
    const { entries } = await booking(api.dataSource, {
      organizationId,
      entries: [
        {},
        { approvalStatus: 'PENDING' },
        { cancelledAt: new Date() },
        { approvalStatus: 'REJECTED' },
      ],
    });
    const { body } = await api.get('/v0/participants', token);
    expect(ids(body)).toEqual([entries[0]?.participantId, entries[2]?.participantId]);
    expect(body.page.totalResults).toBe(2);
  });

  it('returns more with features, and filters by tag with feature tags', async () => {
    const { organizationId, token } = await strangers();
    const of = await race(api.dataSource, { organizationId });
    const { id: ticketId } = await ticket(api.dataSource, { organizationId, raceId: of.id });
    const start = await wave(api.dataSource, { organizationId, raceId: of.id, capacity: 40 });
    const team = await insert(api.dataSource, Team, {
      organizationId,
      eventOccurrenceId: of.eventOccurrenceId,
      name: 'Harriers',
    });
    const { entries } = await booking(api.dataSource, {
      organizationId,
      ticketId,
      entries: [
        { waveId: start.id, teamId: team.id, teamRoles: ['Captain', 'Leg 1'], tags: ['vip', 'press'] },
        { tags: ['press'] },
      ],
    });
    const plain = await api.get('/v0/participants', token);
    expect(plain.body.data[0].waves).toEqual([{ id: start.id, title: start.title, startDateTime: null }]);
    const full = await api.get('/v0/participants?features=waves,teams', token);
    expect(full.body.data[0].waves[0].capacity).toBe(40);
    expect(full.body.data[0].team).toEqual({ id: team.id, name: 'Harriers', roles: ['Captain', 'Leg 1'] });
    const tagged = await api.get('/v0/participants?features=tags&tag=vip', token);
    expect(ids(tagged.body)).toEqual(participantIds(entries.slice(0, 1)));
    expect(tagged.body.page.totalResults).toBe(1);
    expect((await api.get('/v0/participants?features=tags&tag=none', token)).body.data).toEqual([]);
  });

  it('rejects unknown features, and the filter tag without its feature', async () => {
    const unknown = await api.get('/v0/participants?features=waves,medals');
    expect(unknown.status).toBe(400);
    expect(unknown.body.message).toBe('features must be a comma separated list of waves, teams, tags');
    const closed = await api.get('/v0/participants?tag=vip&features=teams');
    expect(closed.status).toBe(400);
    expect(closed.body.message).toBe('tag requires features=tags');
  });
});

describe('GET /v0/races/{id}/participants', () => {
  it('lists the participants of the race, also by occurrence, with a total', async () => {
    const { organizationId, dataSource } = api;
    const made = await booking(dataSource, {
      organizationId,
      entries: [{}, { approvalStatus: 'PENDING' }, {}],
    });
    const approved = participantIds(
      made.entries.filter(({ approvalStatus }) => approvalStatus === 'APPROVED'),
    );
    const path = `/v0/races/${made.entries[0]?.raceId}/participants`;
    const { body } = await api.get(path);
    expect(ids(body)).toEqual(approved);
    expect(body.page.totalResults).toBe(2);
    expect(ids((await api.get(`${path}?eventOccurrenceId=${made.eventOccurrenceId}`)).body)).toEqual(
      approved,
    );
    const elsewhere = await api.get(`${path}?eventOccurrenceId=${newId()}`);
    expect(elsewhere.body).toMatchObject({ data: [], page: { totalResults: 0 } });
  });

  it('rejects a malformed occurrence id, and other organizations', async () => {
    const made = await booking(api.dataSource, { organizationId: api.organizationId });
    const path = `/v0/races/${made.entries[0]?.raceId}/participants`;
    const refused = await api.get(`${path}?eventOccurrenceId=17`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^eventOccurrenceId must be an id/);
    expect((await api.get(path, (await strangers()).token)).status).toBe(404);
  });
});
