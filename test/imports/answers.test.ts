import { booking, bookingForm, bookingFormField, discountCode, reservedEntryGroup } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows, sale as saleOf } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const ask = (given: object) => bookingFormField(api.dataSource, mine(given));
let serial = 0;

/** A ticket whose form has the given fields, and rows that book it. */
async function sale(fieldIds: string[] = []) {
  const sold = await saleOf(api);
  await bookingForm(api.dataSource, mine({ fieldIds, ticketIds: [sold.ticket.id] }));
  return sold;
}
const post = (bookings: object[]) => importRows(api, 'bookings/import', { bookings });
const refusal = async (path: string, body: object) => {
  const { status, body: answer } = await api.send('POST', `/v0/${path}/import`, body);
  return [status, answer.message];
};

describe('an imported answer', () => {
  const options = ['S', 'M'].map((value) => ({ value, label: value }));
  const types: [string, unknown[], unknown[]][] = [
    ['TEXT', ['any'], [1, true, ['any']]],
    ['PHONE', ['+44 20 7946 0018'], [44]],
    ['EMAIL', ['a@b.example'], ['notmail', 7]],
    ['DATE', ['2000-02-29'], ['2001-02-29', '29.2.2000', 20000229]],
    ['NUMBER', [0, 4.5], ['abc', '7', true]],
    ['SELECT', ['M'], ['XXL', ['M'], 7]],
    ['MULTI_SELECT', [['S', 'M'], []], ['M', ['M', 'XXL']]],
    ['BOOLEAN', [true, false], ['yes', 1]],
    ['WAIVER', [true], ['accepted']],
    ['COUNTRY', ['GB'], ['England', 'XQ', 44]],
  ];

  it.each(types)('to a %s must fit the field, or the row fails', async (type, good, bad) => {
    const { id } = await ask({ type, options });
    const { row, participant } = await sale([id]);
    const answered = (value: unknown) => row({ participants: [participant({ fields: [{ id, value }] })] });
    const job = await post([...[...good, null].map(answered), ...bad.map(answered)]);
    expect(errorsOf(job)).toEqual(bad.map((_, i) => [good.length + 1 + i, 'INVALID_ANSWER']));
    expect(job.errors[0].message).toContain('participants[0].fields[0].value must be');
  });

  it('is not a gender outside of the options of the field', async () => {
    const gender = await ask({
      key: 'gender',
      type: 'SELECT',
      options: ['FEMALE', 'MALE'].map((value) => ({ value, label: value })),
    });
    const { row, participant, ticket } = await sale([gender.id]);
    const of = (given: string | null) => row({ participants: [participant({ gender: given })] });
    const job = await post([of('FEMALE'), of('female'), of(null), of('X')]);
    expect(errorsOf(job)).toEqual([
      [1, 'INVALID_ANSWER'],
      [3, 'INVALID_ANSWER'],
    ]);
    expect(job.errors[0].message).toBe('participants[0].gender must be one of the options of the field');
    const [participantId] = job.results[0].participantIds;
    const corrected = await api.send('PATCH', `/v0/participants/${participantId}`, { gender: 'X' });
    expect([corrected.status, corrected.body.message]).toEqual([
      400,
      'gender must be one of the options of the field',
    ]);
    const group = await reservedEntryGroup(api.dataSource, mine({ ticketId: ticket.id }));
    const place = {
      externalAssignmentId: `place-${++serial}`,
      reservedEntryGroupId: group.id,
      ticketSlug: ticket.slug,
      participant: { firstName: 'A', lastName: 'B', email: 'a@b.example', gender: 'X' },
    };
    const assigned = await importRows(api, 'reserved-entries/participants/import', { assignments: [place] });
    expect(errorsOf(assigned)).toEqual([[0, 'INVALID_ANSWER']]);
    // A ticket whose form does not have the field asks for no option.
    const { row: other, participant: runner } = await sale();
    expect(errorsOf(await post([other({ participants: [runner({ gender: 'X' })] })]))).toEqual([]);
  });

  it('is not a birth date before 1900 or in the future', async () => {
    const { row, participant } = await sale();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const rule = 'must be between 1900-01-01 and today';
    const [today, first] = [new Date().toISOString().slice(0, 10), '1900-01-01'];
    const job = await post(
      [today, first].map((dateOfBirth) => row({ participants: [participant({ dateOfBirth })] })),
    );
    expect(errorsOf(job)).toEqual([]);
    const path = `/v0/participants/${job.results[0].participantIds[0]}`;
    for (const dateOfBirth of ['0001-01-01', '1899-12-31', '2050-01-01', tomorrow]) {
      expect(
        await refusal('bookings', { bookings: [row({ participants: [participant({ dateOfBirth })] })] }),
      ).toEqual([400, `bookings[0].participants[0].dateOfBirth ${rule}`]);
      const person = { firstName: 'A', lastName: 'B', email: 'a@b.example', dateOfBirth };
      const place = {
        externalAssignmentId: 'x',
        reservedEntryGroupId: newId(),
        ticketSlug: 'x',
        participant: person,
      };
      expect(await refusal('reserved-entries/participants', { assignments: [place] })).toEqual([
        400,
        `assignments[0].participant.dateOfBirth ${rule}`,
      ]);
      const { status, body } = await api.send('PATCH', path, { dateOfBirth });
      expect([status, body.message, body.problems[0].code]).toEqual([
        400,
        `dateOfBirth ${rule}`,
        'OUT_OF_RANGE',
      ]);
    }
  });

  it('names its question either by id or by key', async () => {
    const field = await ask({ key: `shirt-${++serial}`, type: 'SELECT', options });
    const { row, participant } = await sale([field.id]);
    const answered = (answer: object) => row({ participants: [participant({ fields: [answer] })] });
    const { id, key } = field;
    const job = await post([
      answered({ key, value: 'M' }),
      answered({ id, value: 'M' }),
      answered({ key: 'unknown', value: 'M' }),
      answered({ key, value: 'XXL' }),
    ]);
    expect(errorsOf(job)).toEqual([
      [2, 'FIELD_NOT_FOUND'],
      [3, 'INVALID_ANSWER'],
    ]);
    expect(job.errors[0].message).toContain('fields[0].key is not a booking form field');
    for (const { participantIds } of job.results.slice(0, 2)) {
      const { body } = await api.get(`/v0/participants/${participantIds[0]}`);
      expect(body.fields).toContainEqual(expect.objectContaining({ id, key, value: 'M' }));
    }
    const twice = [
      { id, value: 'M' },
      { key, value: 'S' },
    ];
    const repeated = await post([row({ participants: [participant({ fields: twice })] })]);
    expect(repeated.errors).toMatchObject([
      {
        code: 'INVALID_ANSWER',
        message: expect.stringContaining('fields[1] answers a question that is answered before'),
      },
    ]);
    for (const answer of [{ value: 'M' }, { id, key, value: 'M' }]) {
      expect(await refusal('bookings', { bookings: [answered(answer)] })).toEqual([
        400,
        'bookings[0].participants[0].fields[0] must have id or key, and only one of them',
      ]);
    }
  });

  it('must belong to the form of the ticket, and not to a field with a property of its own in the row', async () => {
    const asked = await ask({});
    const elsewhere = await ask({});
    const firstName = await ask({ key: 'firstName' });
    const { row, participant } = await sale([asked.id, firstName.id]);
    const answered = (id: string) => row({ participants: [participant({ fields: [{ id, value: 'x' }] })] });
    const job = await post([asked, elsewhere, firstName].map(({ id }) => answered(id)));
    expect(errorsOf(job)).toEqual([
      [1, 'INVALID_ANSWER'],
      [2, 'INVALID_ANSWER'],
    ]);
    const { participantIds } = job.results[0];
    const { fields } = (await api.get(`/v0/participants/${participantIds[0]}`)).body;
    expect(fields.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual([asked.id, firstName.id]);
  });

  it('is what the row says, whatever property of the participant has the key of its question', async () => {
    const [team, tags] = [await ask({ key: 'team' }), await ask({ key: 'tags' })];
    const { row, participant } = await sale([team.id, tags.id]);
    const fields = [
      { key: 'team', value: 'Hares AC' },
      { id: tags.id, value: 'none' },
    ];
    const rows = [{ fields }, {}].map((more) =>
      row({ participants: [participant({ team: { name: 'Hares' }, tags: ['club'], ...more })] }),
    );
    const { results } = await post(rows);
    for (const [i, answers] of [
      ['Hares AC', 'none'],
      [null, null],
    ].entries()) {
      const { body } = await api.get(`/v0/participants/${results.at(i).participantIds[0]}`);
      expect([body.team.name, body.tags]).toEqual(['Hares', ['club']]);
      expect(body.fields.slice(0, 2).map(({ value }: { value: unknown }) => value)).toEqual(answers);
    }
    const again = await post(rows);
    expect(again.results.map(({ differs }: any) => differs)).toEqual([[], []]);
  });
});

describe('external ids', () => {
  it('are trimmed in every import', async () => {
    const { row, participant } = await sale();
    const { code } = await discountCode(api.dataSource, mine({}));
    const id = `spaced-${++serial}`;
    const first = await post([
      row({
        externalBookingId: ` ${id}\u00a0`,
        discountCode: `${code} `,
        participants: [participant({ externalParticipantId: '\trunner ', email: ' grace@example.com ' })],
      }),
    ]);
    expect(first.results[0]).toMatchObject({ outcome: 'IMPORTED', externalBookingId: id });
    const again = await post([row({ externalBookingId: id })]);
    expect(again.results[0]).toMatchObject({ outcome: 'ALREADY_IMPORTED', ...reported(first) });
    const { body } = await api.get(
      `/v0/participants/${first.results[0].participantIds[0]}?extendMetadata=true`,
    );
    expect(body.metadata.startline.externalParticipantId).toBe('runner');
    expect(
      body.fields.find(({ key }: { key: string }) => key === 'email')?.value ?? 'grace@example.com',
    ).toBe('grace@example.com');
    const item = { bookingId: first.results[0].bookingId, itemType: 'BOOKING_FEE', name: 'Fee' };
    const amount = { value: 5, currencyCode: 'GBP' };
    const fee = (externalLineItemId: string) => ({ ...item, amount, externalLineItemId });
    await importRows(api, 'bookings/line-items/import', { lineItems: [fee(`${id} `)] });
    const repeated = await importRows(api, 'bookings/line-items/import', { lineItems: [fee(id)] });
    expect(repeated.alreadyImportedRows).toBe(1);
  });

  it('are equal with and without white space in one batch', async () => {
    const { row } = await sale();
    const rows = [row({ externalBookingId: 'twin' }), row({ externalBookingId: ' twin' })];
    expect(await refusal('bookings', { bookings: rows })).toEqual([
      400,
      expect.stringContaining('bookings[1].externalBookingId is the same as in bookings[0]'),
    ]);
  });

  it('must be unique within a booking', async () => {
    const { row, participant } = await sale();
    const participants = ['runner-1', 'runner-1 '].map((externalParticipantId) =>
      participant({ externalParticipantId }),
    );
    expect(await refusal('bookings', { bookings: [row({ participants })] })).toEqual([
      400,
      'bookings[0].participants[1].externalParticipantId is the same as in participants[0]',
    ]);
  });
});

const reported = ({ results: [{ bookingId, participantIds }] }: any) => ({ bookingId, participantIds });

describe('an email address', () => {
  it('has one @ with text on both sides, and no white space', async () => {
    const { row } = await sale();
    const { eventOccurrenceId } = await booking(api.dataSource, mine({}));
    const check = async (email: string) =>
      (await api.send('POST', `/v0/event-occurrences/${eventOccurrenceId}/registration-status`, { email }))
        .status;
    const booker = (email: string) => ({ email, firstName: 'Ada', lastName: 'Lovelace' });
    for (const bad of ['', 'notmail', 'a@', '@b', 'a@b@c', 'a b@c.example']) {
      const [status] = await refusal('bookings', { bookings: [row({ booker: booker(bad) })] });
      expect({ bad, status, checked: await check(bad) }).toEqual({ bad, status: 400, checked: 400 });
    }
    for (const good of [' a@b.example ', 'a@b'])
      expect([(await post([row({ booker: booker(good) })])).succeededRows, await check(good)]).toEqual([
        1, 200,
      ]);
  });
});

describe('the metadata of an imported entry', () => {
  it('keeps the values of the row, and adds their origin under startline', async () => {
    const { row } = await sale();
    const metadata = { importRow: 'my own', bookedAt: 'yesterday' };
    const job = await post([
      row({ metadata, bookedAt: '2026-03-01T10:00:00+02:00', sourcePlatform: 'RACE_ROSTER' }),
      row(),
    ]);
    const read = async (at: number) =>
      (await api.get(`/v0/participants/${job.results.at(at).participantIds[0]}?extendMetadata=true`)).body
        .metadata;
    expect(await read(0)).toEqual({
      ...metadata,
      startline: {
        importJobId: job.jobId,
        importRow: 0,
        source: 'RACE_ROSTER',
        bookedAt: '2026-03-01T08:00:00.000000Z',
      },
    });
    const [{ name }] = await api.dataSource.query('SELECT name FROM api_keys WHERE organization_id = $1', [
      api.organizationId,
    ]);
    expect(await read(1)).toEqual({
      startline: { importJobId: job.jobId, importRow: 1, source: name },
    });
  });

  it('does not accept startline from the row', async () => {
    const { row } = await sale();
    expect(await refusal('bookings', { bookings: [row({ metadata: { startline: {} } })] })).toEqual([
      400,
      'bookings[0].metadata.startline is set by the platform',
    ]);
  });
});
