import { planOf, readSheet } from '#libs/sheets';
import { bookingFormField, reservedEntryGroup } from '#libs/testing';
import { kindOfImport } from '../../libs/client/src/browser';
import { type Browser, signedIn } from '../console/console';
import { sharedApi, type TestApi } from '../harness';
import { importRows, sale } from '../imports/import';

let api: TestApi;
let staff: Browser;
beforeAll(async () => {
  api = await sharedApi();
  for (const key of ['firstName', 'lastName', 'email'])
    await bookingFormField(api.dataSource, { organizationId: api.organizationId, key });
  staff = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(() => api.close());

const RULE = 'must have firstName or lastName';
const NAMED = [
  { firstName: 'Cher', lastName: '' },
  { firstName: null, lastName: 'Cher' },
  { firstName: 'Cher' },
];
const NAMELESS = [{}, { firstName: '', lastName: null }, { firstName: '\u200b', lastName: '' }];
let serial = 0;
const email = () => `cher-${++serial}@example.com`;
/** One of two names. */
const shownOf = async (id: string) => {
  const { fields } = (await api.get(`/v0/participants/${id}`)).body as any;
  return ['firstName', 'lastName']
    .map((name) => fields.find(({ key }: any) => key === name).value)
    .filter(Boolean);
};
const booked = async (person: object = { firstName: 'Ada', lastName: 'Lovelace' }) => {
  const { row, ticket } = await sale(api);
  const participants = [{ ticketId: ticket.id, ...person, email: email() }];
  const job = await importRows(api, 'bookings/import', { bookings: [row({ participants })] });
  return { id: job.results?.[0]?.participantIds?.[0] as string, ticket };
};
const assignment = async (person: object) => {
  const { ticket } = await sale(api);
  const group = await reservedEntryGroup(api.dataSource, {
    ...{ organizationId: api.organizationId, ticketId: ticket.id, maxCapacity: 9 },
  });
  return {
    ...{ externalAssignmentId: email(), reservedEntryGroupId: group.id, ticketSlug: ticket.slug },
    participant: { ...person, email: email() },
  };
};

/** Each way to name a person, and what it answers: the id of the participant. */
const WAYS: Record<string, (person: object) => Promise<{ status: number; body: any; id?: string }>> = {
  'an import of bookings': async (person) => {
    const { row, participant } = await sale(api);
    const booker = { email: email(), ...person };
    const named = { ...participant(), firstName: undefined, lastName: undefined, ...person };
    const bookings = [row({ booker, participants: [named] })];
    const { status, body } = await api.send('POST', '/v0/bookings/import', { bookings });
    if (status !== 200) return { status, body };
    const job = await api.client().finished(body as any, { everyMs: 30 });
    return { status, body, id: (job as any).results[0].participantIds[0] };
  },
  'an import of reserved entries': async (person) => {
    const path = '/v0/reserved-entries/participants/import';
    const { status, body } = await api.send('POST', path, { assignments: [await assignment(person)] });
    if (status !== 200) return { status, body };
    const job = await api.client().finished(body as any, { everyMs: 30 });
    return { status, body, id: (job as any).results[0].participantId };
  },
  'a transfer': async (person) => {
    const { id } = await booked();
    const sent = { ...person, email: email() };
    return { ...(await api.send('POST', `/v0/participants/${id}/transfer`, sent)), id };
  },
  'a correction': async (person) => {
    const { id } = await booked();
    const names = { firstName: null, lastName: null, ...person };
    return { ...(await api.send('PATCH', `/v0/participants/${id}`, names)), id };
  },
  'a participant whom staff add': async (person) => {
    const { row, ticket } = await sale(api);
    const participant = { ticketId: ticket.id, email: email(), ...person };
    const { eventOccurrenceId } = row();
    const sent = { requestId: email(), eventOccurrenceId, participant };
    const { status, body } = await staff.ask('POST', '/console/v1/participants', sent);
    return { status, body, id: body.id };
  },
};

describe.each(Object.keys(WAYS))('%s', (way) => {
  it('takes a first or a last name alone, and refuses a person without a name', async () => {
    for (const person of NAMED) {
      const { status, id = '' } = await (WAYS[way] as any)(person);
      expect([status, await shownOf(id)]).toEqual([200, ['Cher']]);
    }
    for (const person of NAMELESS) {
      const { status, body } = await (WAYS[way] as any)(person);
      expect([status, body.message]).toEqual([400, expect.stringContaining(RULE)]);
    }
  });
});

it('a correction leaves the name that the participant has alone', async () => {
  const { id } = await booked({ lastName: 'Cher' });
  const { status, body } = await api.send('PATCH', `/v0/participants/${id}`, { lastName: '' });
  expect([status, (body as any).message]).toEqual([400, `The body ${RULE}`]);
  expect(
    (await api.send('PATCH', `/v0/participants/${id}`, { firstName: 'Chér', lastName: null })).status,
  ).toBe(200);
  expect(await shownOf(id)).toEqual(['Chér']);
});

it('a file can lack one of both names, in its columns or in cells', async () => {
  const { ticket } = await sale(api);
  const kind = kindOfImport('/v0/bookings/import');
  const sheet = await readSheet(
    new TextEncoder().encode(
      ['Id;First;Last;Email', 'n-1;Cher;;a@n.example', 'n-2;;Prince;b@n.example', 'n-3;;;c@n.example\n'].join(
        '\n',
      ),
    ),
  );
  const columns = {
    ...{ Id: 'externalBookingId', First: 'participants[0].firstName', Last: 'participants[0].lastName' },
    Email: 'participants[0].email',
  };
  const values = { eventOccurrenceId: ticket.eventOccurrenceId, 'participants[0].ticketId': ticket.id };
  const options = { lookups: {}, today: '2027-01-01' };
  const plan = planOf(sheet, kind, { columns, values }, options);
  expect(plan.failed.map(({ row, mistakes }) => [row.line, mistakes[0]?.message])).toEqual([
    [4, 'Column "Last" is empty.'],
  ]);
  const job = await importRows(api, 'bookings/import', { bookings: plan.items.map(({ body }) => body) });
  expect(job).toMatchObject({ succeededRows: 2, failedRows: 0 });
  const { body } = await api.get(`/v0/bookings/${job.results?.[0]?.bookingId}`);
  expect(body.booker).toMatchObject({ firstName: 'Cher', lastName: '' });
  const lastOnly = { ...columns, First: null };
  expect(planOf(sheet, kind, { columns: lastOnly, values }, options).questions).toEqual([]);
  const none = { ...columns, First: null, Last: null };
  expect(planOf(sheet, kind, { columns: none, values }, options).questions).toMatchObject([
    { kind: 'field', field: { path: 'booker.lastName' } },
    { kind: 'field', field: { path: 'participants[0].lastName' } },
  ]);
});
