import { bookingForm, bookingFormField, key, partner, reservedEntryGroup, ticket } from '#libs/testing';
import { type Browser, signedIn } from '../console/console';
import { sharedApi, type TestApi } from '../harness';
import { importRows, sale } from '../imports/import';

let api: TestApi;
let staff: Browser;
let phoneId: string;
beforeAll(async () => {
  api = await sharedApi();
  for (const name of ['firstName', 'lastName', 'email', 'dateOfBirth'])
    await bookingFormField(api.dataSource, mine({ key: name }));
  phoneId = (await bookingFormField(api.dataSource, mine({ key: 'phone', type: 'PHONE' as const }))).id;
  staff = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const CODE = 'DUPLICATE_PARTICIPANT';
const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10', email: 'ada@example.com' };
const asked = (value: string) => [{ id: phoneId, value }];

/** An occurrence with two tickets, whose forms ask for a phone. */
async function event() {
  const { ticket: one, row } = await sale(api);
  const { eventOccurrenceId } = one;
  const other = await ticket(api.dataSource, mine({ eventOccurrenceId }));
  await bookingForm(api.dataSource, mine({ fieldIds: [phoneId], ticketIds: [one.id, other.id] }));
  const booking = (...people: object[]) =>
    row({ participants: people.map((each) => ({ ticketId: one.id, ...each })) });
  const post = async (bookings: object[], query = '') =>
    (await importRows(api, `bookings/import${query}`, { bookings })).results as any[];
  const placed = async (...people: object[]): Promise<string[]> => {
    const [{ participantIds }] = await post([booking(...people)]);
    return participantIds;
  };
  return { one, other, eventOccurrenceId, booking, post, placed };
}

describe('an import of bookings', () => {
  it('succeeds, and names the participants of the same person in the occurrence', async () => {
    const { other, booking, post, placed } = await event();
    const [first = ''] = await placed({ ...ada, fields: asked('+44 20 7946 0018') });
    const again = { ...ada, firstName: ' ADA', email: 'Ada@Example.com', ticketId: other.id };
    const byPhone = { ...ada, email: 'ada@work.example', fields: asked('0044 20 79460018') };
    const sent = [
      booking({ firstName: 'Bo', lastName: 'L', dateOfBirth: '1990-12-10' }, again),
      booking(byPhone),
    ];
    const [one, two] = await post(sent);
    const duplicateOf = [first];
    expect(one).toMatchObject({
      outcome: 'IMPORTED',
      warnings: [
        { path: 'participants[1]', code: CODE, duplicateOf, message: expect.stringContaining(first) },
      ],
    });
    // By phone: the address is another one, and so is that of the row before.
    expect(two.warnings).toMatchObject([{ path: 'participants[0]', duplicateOf }]);
    expect((await post(sent)).map(({ outcome, warnings }) => [outcome, warnings])).toEqual([
      ['ALREADY_IMPORTED', undefined],
      ['ALREADY_IMPORTED', undefined],
    ]);
  });

  it('compares the rows of a batch in their order', async () => {
    const { booking, post } = await event();
    const [one, two, three] = await post([booking(ada), booking(ada, ada), booking(ada)]);
    const [[a], [b, c], [d]] = [one, two, three].map(({ participantIds }) => participantIds) as any;
    expect(one.warnings).toBeUndefined();
    expect(two.warnings).toMatchObject([
      { duplicateOf: [a] },
      { path: 'participants[1]', duplicateOf: [a, b] },
    ]);
    expect(three.warnings).toMatchObject([{ duplicateOf: [a, b, c] }]);
    expect(d).not.toBe(a);
  });

  it('says nothing of namesakes, twins, other occurrences, or who gave the place up', async () => {
    const { booking, post, placed } = await event();
    const other = await event();
    await other.placed(ada);
    const [gone = ''] = await placed({ ...ada, firstName: 'Grace' });
    await api.send('DELETE', `/v0/participants/${gone}`, undefined);
    await placed(ada);
    const people = [
      { ...ada, dateOfBirth: '1990-12-11' },
      { ...ada, dateOfBirth: null },
      { ...ada, firstName: 'Augusta' },
      { ...ada, email: 'other@example.com' },
      { ...ada, firstName: 'Grace' },
    ];
    const results = await post(people.map((each) => booking(each)));
    expect(results.map(({ outcome, warnings }) => [outcome, warnings])).toEqual(
      people.map(() => ['IMPORTED', undefined]),
    );
  });

  it('finds stored participants in a dry run, and names the rows of those who are not', async () => {
    const { booking, post, placed } = await event();
    const sent = [booking(ada), booking({ ...ada, firstName: 'Bo' }, ada)];
    const [one, two] = await post(sent, '?dryRun=true');
    expect([one.warnings, two.warnings]).toMatchObject([
      undefined,
      [
        {
          path: 'participants[1]',
          code: CODE,
          duplicateOf: [],
          message: expect.stringContaining('of row 0'),
        },
      ],
    ]);
    const [first] = await placed(ada);
    const [again, other] = await post(sent, '?dryRun=true');
    expect(again.warnings).toMatchObject([{ code: CODE, duplicateOf: [first] }]);
    expect(other.warnings).toMatchObject([{ path: 'participants[1]', duplicateOf: [first] }]);
  });

  it('of corrections names those of the person whom a participant has become', async () => {
    const { booking, placed } = await event();
    const [first] = await placed(ada);
    const row: any = booking({ ...ada, firstName: 'Bo' }, { ...ada, firstName: 'Cy' });
    await importRows(api, 'bookings/import', { bookings: [row] });
    const [bo, cy] = row.participants;
    const put = async (participants: object[], query = '') => {
      const body = { bookings: [{ ...row, participants }] };
      return (await importRows(api, `bookings/import${query}`, body, { method: 'PUT' })).results as any[];
    };
    const renamed = [bo, { ...cy, firstName: 'Ada' }];
    for (const query of ['?dryRun=true', ''])
      expect(await put(renamed, query)).toMatchObject([
        { outcome: 'UPDATED', warnings: [{ path: 'participants[1]', code: CODE, duplicateOf: [first] }] },
      ]);
    const [tagged] = await put([bo, { ...cy, firstName: 'Ada', tags: ['x'] }]);
    expect([tagged.outcome, tagged.warnings]).toEqual(['UPDATED', undefined]);
  });

  it('says nothing of a participant who is cancelled, when the address of the booker is corrected', async () => {
    const { booking, placed } = await event();
    const row: any = booking(ada, { firstName: 'Bo', lastName: 'L' });
    const job = await importRows(api, 'bookings/import', { bookings: [row] });
    const [cancelled] = (job.results as any)[0].participantIds;
    await api.send('DELETE', `/v0/participants/${cancelled}`, undefined);
    await placed(ada);
    const bookings = [{ ...row, booker: { ...row.booker, email: 'new@example.com' } }];
    const put = await importRows(api, 'bookings/import', { bookings }, { method: 'PUT' });
    expect(put).toMatchObject({ warnedRows: 0, results: [{ outcome: 'UPDATED' }] });
  });

  it('names no ids to a key that cannot read participants', async () => {
    const { booking, placed } = await event();
    const [first = ''] = await placed(ada);
    const { token } = await key(api.dataSource, mine({ permissions: ['bookings:import' as const] }));
    const job = await importRows(api, 'bookings/import', { bookings: [booking(ada)] }, { token });
    const rows = await api.get(`/v0/import-jobs/${job.jobId}/rows`, token);
    for (const warnings of [(job.results as any)[0].warnings, (rows.body as any).data[0].warnings])
      expect(warnings).toEqual([
        { path: 'participants[0]', code: CODE, duplicateOf: [], message: expect.not.stringContaining(first) },
      ]);
    const { body } = await api.get(`/v0/bookings/import/${job.jobId}`);
    expect((body as any).results[0].warnings).toMatchObject([{ duplicateOf: [first] }]);
  });
});

describe('reserved entries', () => {
  it('name to a partner its own participants, and to the organizer all', async () => {
    const { one, placed } = await event();
    const [organizers = ''] = await placed(ada);
    const groupOf = async () => {
      const { id: partnerId } = await partner(api.dataSource, mine({}));
      const group = await reservedEntryGroup(
        api.dataSource,
        mine({ partnerId, ticketId: one.id, maxCapacity: 9 }),
      );
      const { token } = await key(api.dataSource, mine({ partnerId }));
      return { group, token };
    };
    const [acme, others] = [await groupOf(), await groupOf()];
    let serial = 0;
    const assign = async ({ group, token }: typeof acme, sender: string | undefined = token) => {
      const row = {
        ...{ externalAssignmentId: `${group.id}-${++serial}`, reservedEntryGroupId: group.id },
        ...{ ticketSlug: one.slug, participant: ada },
      };
      const path = 'reserved-entries/participants/import';
      const job = await importRows(api, path, { assignments: [row] }, { token: sender });
      return (job.results as any)[0];
    };
    const first = await assign(acme);
    expect([first.outcome, first.warnings]).toEqual(['IMPORTED', undefined]);
    expect((await assign(others)).warnings).toBeUndefined();
    const second = await assign(acme);
    expect(second.warnings).toMatchObject([{ path: 'participant', duplicateOf: [first.participantId] }]);
    const byOrganizer = await assign(acme, api.token);
    expect(byOrganizer.warnings[0].duplicateOf).toHaveLength(3);
    expect(byOrganizer.warnings[0].duplicateOf[0]).toBe(organizers);
    // The same holds for a transfer.
    const path = `/v0/participants/${second.participantId}/transfer`;
    const { body } = await api.send('POST', path, ada, acme.token);
    expect((body as any).duplicateOf).toEqual([first.participantId, byOrganizer.participantId]);
  });
});

it('a transfer, and a participant whom staff add, name the other participants of the person', async () => {
  const { one, eventOccurrenceId, placed } = await event();
  const [first = ''] = await placed(ada);
  const [second = ''] = await placed({ ...ada, firstName: 'Grace', email: 'grace@example.com' });
  const transfer = (person: object) => api.send('POST', `/v0/participants/${second}/transfer`, person);
  expect((await transfer({ ...ada, email: 'eve@example.com' })).body).toMatchObject({ duplicateOf: [] });
  expect((await transfer(ada)).body).toMatchObject({ id: second, duplicateOf: [first] });
  const { token } = await key(api.dataSource, mine({ permissions: ['participants:write'] }));
  const { status, body: unread } = await api.send('POST', `/v0/participants/${second}/transfer`, ada, token);
  expect([status, (unread as any).duplicateOf]).toEqual([200, []]);
  expect((await api.get(`/v0/participants/${second}`)).body).not.toHaveProperty('duplicateOf');
  const { body } = await staff.ask('POST', '/console/v1/participants', {
    ...{ requestId: 'duplicate', eventOccurrenceId, participant: { ticketId: one.id, ...ada } },
  });
  expect(body.duplicateOf).toEqual([first, second]);
});
