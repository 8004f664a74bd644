import { redactParticipant } from '#domain/participants';
import { booking, bookingFormField, key, organization, race, ticket } from '#libs/testing';
import { type ApiKey, newId, type StartListEntry } from '#platform/database';
import { commandLine } from '../cli/startline';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const PATH = '/timing-inbound/v1/participants';
const SYSTEM = { type: 'SYSTEM', id: null, origin: null } as const;
const NAMES = [
  { id: 'a', key: 'firstName', label: 'First name', type: 'TEXT', value: 'Ada' },
  { id: 'b', key: 'lastName', label: 'Last name', type: 'TEXT', value: 'Lovelace' },
];

/** Participants of a new occurrence, in a separate organization. */
async function occurrenceWith(
  entries: Partial<StartListEntry>[],
  organizationId?: string,
  startDate?: string,
) {
  const id = organizationId ?? (await organization(api.dataSource)).id;
  const { id: raceId, eventOccurrenceId } = await race(api.dataSource, {
    organizationId: id,
    ...(startDate && { startDate }),
  });
  const { id: ticketId } = await ticket(api.dataSource, { organizationId: id, raceId });
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
        gender: null,
        ageOnRaceDay: null,
        yearOfBirth: null,
        team: null,
        answers: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(page.totalResults).toBe(1);
  });

  it('returns names for keys that were created with them', async () => {
    const { organizationId } = await occurrenceWith([{ fields: NAMES }]);
    const { data } = await list(await timingKey(organizationId, { reads: ['names'] }));
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

describe('what a timing key reads', () => {
  const ALL = ['names', 'gender', 'ageOnRaceDay', 'yearOfBirth', 'team', 'wave', 'field:shirt'];
  const answer = (key: string, value: unknown) => ({ id: newId(), key, label: key, type: 'TEXT', value });

  /** A participant of whom everything is known. */
  async function known({ raceDay = '2027-02-28', born = '2004-02-29' } = {}) {
    const made = await occurrenceWith(
      [
        {
          fields: [...NAMES, answer('gender', 'FEMALE'), answer('dateOfBirth', born), answer('shirt', '=M')],
          bibNumber: '7',
          bibClaim: '7',
        },
      ],
      undefined,
      raceDay,
    );
    const { organizationId, raceId, entries } = made;
    const [waveId, teamId] = [newId(), newId()];
    const change = (text: string, values: unknown[]) => api.dataSource.query(text, values);
    await change(
      `INSERT INTO waves (organization_id, id, race_id, title, position) VALUES ($1, $2, $3, 'Wave A', 0)`,
      [organizationId, waveId, raceId],
    );
    await change(
      `INSERT INTO teams (organization_id, id, event_occurrence_id, name) VALUES ($1, $2, $3, 'Engines')`,
      [organizationId, teamId, made.eventOccurrenceId],
    );
    await change('UPDATE start_list_entries SET wave_id = $2, team_id = $3 WHERE organization_id = $1', [
      organizationId,
      waveId,
      teamId,
    ]);
    const read = async (...reads: string[]) =>
      (await list(await timingKey(organizationId, { reads }))).data[0];
    return { ...made, waveId, teamId, read, participantId: entries[0]?.participantId as string };
  }

  const NOTHING = {
    firstName: null,
    lastName: null,
    gender: null,
    ageOnRaceDay: null,
    yearOfBirth: null,
    team: null,
    wave: null,
    answers: null,
  };

  it('is what it was granted, each alone, and null for everything else', async () => {
    const { read, waveId, teamId } = await known();
    const shown = {
      names: { firstName: 'Ada', lastName: 'Lovelace' },
      gender: { gender: 'FEMALE' },
      ageOnRaceDay: { ageOnRaceDay: 22 },
      yearOfBirth: { yearOfBirth: 2004 },
      team: { team: { id: teamId, name: 'Engines' } },
      wave: { wave: { id: waveId, title: 'Wave A', startDateTime: null } },
      'field:shirt': { answers: { shirt: '=M' } },
      'field:unasked': { answers: { unasked: null } },
    };
    expect(await read()).toMatchObject(NOTHING);
    for (const [granted, properties] of Object.entries(shown))
      expect(await read(granted)).toMatchObject({ ...NOTHING, ...properties });
  });

  it.each([
    ['2027-02-28', '2004-02-29', 22],
    ['2027-03-01', '2004-02-29', 23],
    ['2028-02-28', '2004-02-29', 23],
    ['2028-02-29', '2004-02-29', 24],
    ['2027-06-10', '1990-06-11', 36],
    ['2027-06-11', '1990-06-11', 37],
    ['2027-06-11', '2030-01-01', null],
    ['2027-06-11', '11.06.1990', null],
  ])('shows on %s the age of whoever is born on %s as %s', async (raceDay, born, age) => {
    const { read } = await known({ raceDay, born });
    expect((await read('ageOnRaceDay')).ageOnRaceDay).toBe(age);
  });

  it('is null after the data of the participant was removed', async () => {
    const { read, participantId } = await known();
    await redactParticipant(api.dataSource, participantId, SYSTEM);
    expect(await read(...ALL)).toMatchObject({ ...NOTHING, answers: { shirt: null } });
  });

  it('is exported as CSV with the columns of RACE RESULT, and as NDJSON', async () => {
    const { organizationId, participantId, raceId, eventOccurrenceId } = await known();
    const full = await timingKey(organizationId, { reads: ALL });
    const csv = async (token: string) => {
      const [header, row, end] = (await api.get(`${PATH}/export`, token)).text.slice(1).split('\r\n');
      expect(end).toBe('#end,1');
      const cells = (line = '') => line.split(',').map((cell) => cell.replaceAll('"', ''));
      return Object.fromEntries(cells(header).map((name, i) => [name, cells(row)[i]]));
    };
    const ids = { ParticipantId: participantId, RaceId: raceId, EventOccurrenceId: eventOccurrenceId };
    const always = {
      ...ids,
      Bib: '7',
      Contest: expect.any(String),
      Cancelled: 'false',
      ExternalParticipantId: '',
      '#startline': '',
    };
    expect(await csv(full)).toEqual({
      ...always,
      Lastname: 'Lovelace',
      Firstname: 'Ada',
      Gender: 'f',
      YearOfBirth: '2004',
      Club: 'Engines',
      Age: '22',
      Wave: 'Wave A',
      shirt: "'=M",
    });
    const hidden = { Lastname: '', Firstname: '', Gender: '', YearOfBirth: '', Club: '', Age: '', Wave: '' };
    expect(await csv(await timingKey(organizationId))).toEqual({ ...always, ...hidden });
    const lines = (await api.get(`${PATH}/export?format=ndjson`, full)).text.trim().split('\n');
    expect(JSON.parse(lines[0] as string)).toEqual((await list(full)).data[0]);
    const elsewhere = await timingKey(organizationId, { reads: ALL, eventOccurrenceIds: [newId()] });
    expect((await api.get(`${PATH}/export?format=ndjson`, elsewhere)).text).toBe('{"end":true,"rows":0}\n');
  });

  it('is granted when the key is created, and can be narrowed', async () => {
    const { slug, id } = await organization(api.dataSource);
    await bookingFormField(api.dataSource, { organizationId: id, key: 'shirt' });
    const cli = await commandLine(api.databaseUrl);
    const create = (...words: string[]) =>
      cli.run('key', 'create', '--organization', slug, '--name', 'Timing', '--kind', 'timing', ...words);
    const { answer } = await create('--reads', 'wave', 'field:shirt', 'names');
    expect(answer).toMatchObject({ reads: ['names', 'wave', 'field:shirt'] });
    expect((await create()).answer.reads).toEqual([]);
    for (const wrong of ['email', 'field:nothing'])
      expect((await create('--reads', wrong)).answer.error).toBe('REFUSED');
    const narrowed = await cli.run('key', 'restrict', answer.id, '--reads', 'wave');
    expect(narrowed.answer).toMatchObject({ reads: ['wave'] });
    expect((await cli.run('key', 'restrict', answer.id, '--reads', 'names')).answer.error).toBe('REFUSED');
    await cli.close();
  });
});
