import type { ApiKey, StartListEntry } from '#libs/database';
import { booking, key, organization, ticket } from '#libs/testing';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const PATH = '/timing-inbound/v1/participants';
const NAMES = [
  { id: 'a', key: 'firstName', label: 'First name', type: 'TEXT', value: 'Ada' },
  { id: 'b', key: 'lastName', label: 'Last name', type: 'TEXT', value: 'Lovelace' },
];

/** Participants of a new occurrence, in a separate organization. */
async function occurrenceWith(entries: Partial<StartListEntry>[], organizationId?: string) {
  const id = organizationId ?? (await organization(api.dataSource)).id;
  const { id: ticketId, eventOccurrenceId, raceId } = await ticket(api.dataSource, { organizationId: id });
  const { entries: written } = await booking(api.dataSource, { organizationId: id, ticketId, entries });
  return { organizationId: id, eventOccurrenceId, raceId, entries: written };
}

const timingKey = async (organizationId: string, given: Partial<ApiKey> = {}) =>
  (await key(api.dataSource, { organizationId, kind: 'TIMING', ...given })).token;

const list = async (token: string, query: Record<string, string> = {}) => {
  const { status, body } = await api.get(`${PATH}?${new URLSearchParams(query)}`, token);
  expect(status).toBe(200);
  return body;
};
const idsOf = (body: { data: { participantId: string }[] }) =>
  body.data.map(({ participantId }) => participantId);

describe('GET /timing-inbound/v1/participants', () => {
  it('returns ids, bib, race and wave, without names', async () => {
    const { organizationId, raceId, eventOccurrenceId, entries } = await occurrenceWith([
      { bibNumber: '7', bibClaim: '7', externalParticipantId: 'RUNNER-1', fields: NAMES },
    ]);
    const { data, page } = await list(await timingKey(organizationId));
    expect(data).toEqual([
      {
        participantId: entries[0]?.participantId,
        externalParticipantId: 'RUNNER-1',
        bibNumber: '7',
        eventOccurrenceId,
        raceId,
        raceTitle: expect.any(String),
        wave: null,
        cancelled: false,
        firstName: null,
        lastName: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(page.totalResults).toBe(1);
  });

  it('returns names for keys that were created with them', async () => {
    const { organizationId } = await occurrenceWith([{ fields: NAMES }]);
    const { data } = await list(await timingKey(organizationId, { names: true }));
    expect(data[0]).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
  });

  it('is limited to the occurrences of the key, with any filter', async () => {
    const mine = await occurrenceWith([{}, {}]);
    const other = await occurrenceWith([{}], mine.organizationId);
    const token = await timingKey(mine.organizationId, { eventOccurrenceIds: [mine.eventOccurrenceId] });
    const body = await list(token);
    expect(idsOf(body).sort()).toEqual(mine.entries.map(({ participantId }) => participantId).sort());
    expect(body.page.totalResults).toBe(2);
    for (const name of ['eventOccurrenceId', 'raceId'] as const) {
      const query = { [name]: other[name] };
      expect((await list(token, query)).data).toEqual([]);
    }
    expect(idsOf(await list(await timingKey(mine.organizationId)))).toHaveLength(3);
  });

  it('pages by cursor, and returns each participant once', async () => {
    const { organizationId, entries } = await occurrenceWith(Array.from({ length: 5 }, () => ({})));
    const token = await timingKey(organizationId);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const body = await list(token, { 'page[size]': '2', 'page[after]': after });
      seen.push(...idsOf(body));
      after = body.page.next;
      if (!after) break;
    }
    expect(seen.sort()).toEqual(entries.map(({ participantId }) => participantId).sort());
  });

  it('excludes entries that are not approved, and marks cancelled ones', async () => {
    const { organizationId, entries } = await occurrenceWith([
      { approvalStatus: 'PENDING' },
      { cancelledAt: new Date() },
    ]);
    const { data } = await list(await timingKey(organizationId));
    expect(data).toEqual([
      expect.objectContaining({ participantId: entries[1]?.participantId, cancelled: true }),
    ]);
  });

  it('returns 401 for keys of other kinds, and no participants of other organizations', async () => {
    const { organizationId } = await occurrenceWith([{}]);
    for (const kind of ['ORGANIZER', 'MARKETPLACE'] as const) {
      const { token } = await key(api.dataSource, { organizationId, kind });
      expect((await api.get(PATH, token)).status).toBe(401);
    }
    const stranger = await organization(api.dataSource);
    expect((await list(await timingKey(stranger.id))).data).toEqual([]);
  });
});
