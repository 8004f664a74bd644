import type { INestApplicationContext } from '@nestjs/common';
import { erasePerson } from '#domain/participants';
import { bookingForm, bookingFormField, discountCode, key, organization, ticket, wave } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { errorsOf, importRows } from './import';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT: '1000' });
  worker = await startWorker(api);
  await api.get('/v0/change-events');
  // Every organization has these questions.
  for (const name of ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'])
    await bookingFormField(api.dataSource, mine({ key: name, label: name }));
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const PATH = 'bookings/import';
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const post = (bookings: object[]) => importRows(api, PATH, { bookings });
const put = (bookings: object[], query = '') =>
  importRows(api, PATH + query, { bookings }, { method: 'PUT' });
const booking = async (id: string) => (await api.get(`/v0/bookings/${id}?extendMetadata=true`)).body;
const outcomes = (job: any) => job.results.map(({ outcome }: any) => outcome);
const participantOf = async (id: string) =>
  (await api.get(`/v0/participants/${id}?extendMetadata=true`)).body;
const answerOf = ({ fields }: any, name: string) => fields.find(({ key: each }: any) => each === name).value;
const eventsOf = async (id: string) =>
  (await api.get('/v0/change-events?page[size]=500')).body.data
    .filter(({ data }: any) => data.participantId === id || (data.bookingId === id && !data.participantId))
    .map(({ type, data }: any) => [type, data.changed]);
/** Returns when the change is announced: the list of events ends at the watermark. */
const announced = (id: string, type: string, property: string) =>
  eventually(async () =>
    (await eventsOf(id)).some((event: any) => event[0] === type && event[1]?.join() === property),
  );
let serial = 0;

/** An imported booking of two, and its row. */
async function booked(given: object = {}, ofTicket: object = {}) {
  const sold = await ticket(api.dataSource, mine(ofTicket));
  const run = ++serial;
  const person = (i: number) => ({
    firstName: 'Ada',
    lastName: `${i}`,
    email: `ada-${run}-${i}@example.com`,
  });
  const row = {
    externalBookingId: `order-${run}`,
    eventOccurrenceId: sold.eventOccurrenceId,
    booker: { ...person(0), phone: '1' },
    participants: [1, 2].map((i) => ({
      ...person(i),
      ticketId: sold.id,
      externalParticipantId: `runner-${run}-${i}`,
    })),
    ...given,
  } as any;
  const [result] = (await post([row])).results;
  const [first, second] = result.participantIds as [string, string];
  return { row, ticket: sold, result, first, second, bookingId: result.bookingId as string };
}
const changed = (row: any, i: number, more: object) => ({
  ...row,
  participants: row.participants.map((each: object, at: number) => (at === i ? { ...each, ...more } : each)),
});

describe('POST /v0/bookings/import', () => {
  it('reports where a row differs from the existing booking, and changes nothing', async () => {
    const { row, bookingId, first } = await booked();
    const before = await participantOf(first);
    const job = await post([
      {
        ...changed(row, 0, { firstName: 'Grace', tags: ['club'], bibNumber: '7' }),
        booker: { ...row.booker, lastName: 'Hopper' },
      },
    ]);
    expect(job.results[0]).toMatchObject({
      outcome: 'ALREADY_IMPORTED',
      bookingId,
    });
    expect(job.results[0].differs.sort()).toEqual([
      'booker.lastName',
      'participants[0].bibNumber',
      'participants[0].firstName',
      'participants[0].tags',
    ]);
    const elsewhere = await post([changed(row, 0, { firstName: 'Grace', ticketId: newId() })]);
    expect(elsewhere.results[0].differs).toEqual(['participants[0].ticketId']);
    await post([{ ...changed(row, 0, { bibNumber: 'Z9' }), externalBookingId: `order-${++serial}` }]);
    const worn = await post([changed(row, 1, { bibNumber: 'Z9' })]);
    expect(worn.results[0].differs).toEqual(['participants[1].bibNumber']);
    const joined = await post([changed(row, 0, { team: { name: 'Not there yet' } })]);
    expect(joined.results[0].differs).toEqual(['participants[0].team']);
    expect(await api.dataSource.query(`SELECT FROM teams WHERE name = 'Not there yet'`)).toEqual([]);
    expect((await post([row])).results[0]).toMatchObject({ outcome: 'ALREADY_IMPORTED', differs: [] });
    expect(await participantOf(first)).toEqual(before);
  });
});

describe('PUT /v0/bookings/import', () => {
  it('corrects names, answers, booker, wave, team, tags, bib and metadata, and emits change events', async () => {
    const size = await bookingFormField(api.dataSource, mine({ key: `size${++serial}`, label: 'Shirt' }));
    const { row, ticket: sold, first, second, bookingId } = await booked({ metadata: { shop: 'A' } });
    await bookingForm(api.dataSource, mine({ fieldIds: [size.id], ticketIds: [sold.id] }));
    const { id: waveId } = await wave(api.dataSource, mine({ raceId: sold.raceId, title: 'Wave A' }));
    const untouched = await participantOf(second);
    const better = {
      ...changed(row, 0, {
        firstName: 'Grace',
        email: 'grace@example.com',
        waveId,
        team: { name: 'Engines', role: 'CAPTAIN' },
        tags: ['club'],
        bibNumber: 'A7',
        fields: [{ id: size.id, value: 'M' }],
      }),
      booker: { ...row.booker, firstName: 'Charles', phone: null },
    };
    const job = await put([better]);
    expect(job).toMatchObject({ succeededRows: 1, failedRows: 0 });
    expect(job.results[0]).toMatchObject({ outcome: 'UPDATED', bookingId, participantIds: [first, second] });
    expect(job.results[0].differs.sort()).toEqual(
      [
        'booker.firstName',
        'booker.phone',
        ...['firstName', 'email', 'fields[0]', 'waveId', 'tags', 'team', 'team.role', 'bibNumber'].map(
          (name) => `participants[0].${name}`,
        ),
      ].sort(),
    );
    const now = await eventually(async () => {
      const shown = await participantOf(first);
      return shown.bibNumber === 'A7' && shown;
    });
    expect(now).toMatchObject({
      waves: [{ id: waveId }],
      team: { name: 'Engines' },
      tags: ['club'],
      booker: { firstName: 'Charles', phone: null },
      metadata: { shop: 'A' },
    });
    expect([answerOf(now, 'firstName'), answerOf(now, 'email'), answerOf(now, size.key)]).toEqual([
      'Grace',
      'grace@example.com',
      'M',
    ]);
    expect(await participantOf(second)).toMatchObject({ fields: untouched.fields, tags: [], team: null });
    const status = `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`;
    const registered = async (email: string) => (await api.send('POST', status, { email })).body.registered;
    expect([await registered('grace@example.com'), await registered(row.participants[0].email)]).toEqual([
      true,
      false,
    ]);
    const types = await eventually(async () => {
      const found = await eventsOf(first);
      return found.some(([type]: any) => type === 'participant.race_day_updated') && found;
    });
    expect(types).toContainEqual(['participant.updated', expect.arrayContaining(['fields', 'team', 'tags'])]);
    expect(await eventsOf(bookingId)).toContainEqual(['booking.updated', ['booker']]);
    expect(outcomes(await put([better]))).toEqual(['UNCHANGED']);
    expect((await put([better])).alreadyImportedRows).toBe(1);
  });

  it('stores the metadata of a booking once, and shows a correction of it in all entries', async () => {
    const { row, first, second, bookingId } = await booked({ metadata: { shop: 'A' } });
    const patched = await api.send('PATCH', `/v0/participants/${second}`, { metadata: { shop: 'B' } });
    expect(patched.body.id).toBe(second);
    const before = await participantOf(first);
    expect([before, await participantOf(second)].map(({ metadata }) => metadata.shop)).toEqual(['A', 'B']);
    expect((await booking(bookingId)).metadata).toMatchObject({ shop: 'A' });
    const job = await put([{ ...row, metadata: { shop: 'C' } }]);
    expect(job.results[0].differs).toEqual(['metadata']);
    for (const id of [first, second]) {
      const { metadata, updatedAt } = await participantOf(id);
      expect(metadata).toMatchObject({
        shop: 'C',
        startline: { importRow: 0, source: before.metadata.startline.source },
      });
      expect(updatedAt > before.updatedAt).toBe(true);
      await announced(id, 'participant.updated', 'metadata');
    }
    await announced(bookingId, 'booking.updated', 'metadata');
    expect((await booking(bookingId)).metadata).toMatchObject({ shop: 'C' });
    expect(outcomes(await put([{ ...row, metadata: { shop: 'C' } }]))).toEqual(['UNCHANGED']);
    const [{ copies }] = await api.dataSource.query(
      `SELECT count(*)::int AS copies FROM start_list_entries WHERE booking_id = $1 AND metadata ? 'shop'`,
      [bookingId],
    );
    expect(copies).toBe(0);
  });

  it('never gives cleared metadata back', async () => {
    const { row, first, second } = await booked({ metadata: { shop: 'A' } });
    await api.dataSource.query(
      `UPDATE start_list_entries SET metadata = '{"startline": {"cleared": true}}' WHERE participant_id = $1`,
      [second],
    );
    await put([{ ...row, metadata: { shop: 'D' } }]);
    expect((await participantOf(first)).metadata).toMatchObject({ shop: 'D' });
    expect((await participantOf(second)).metadata).toEqual({
      startline: { externalParticipantId: row.participants[1].externalParticipantId },
    });
  });

  it('keeps properties that a row omits, and removes those that are null', async () => {
    const { row, first } = await booked();
    await put([changed(row, 0, { tags: ['a'], team: { name: 'T' }, gender: 'FEMALE', bibNumber: 'N1' })]);
    await eventually(async () => (await participantOf(first)).bibNumber === 'N1');
    expect(outcomes(await put([row]))).toEqual(['UNCHANGED']);
    expect(await participantOf(first)).toMatchObject({ tags: ['a'], team: { name: 'T' }, bibNumber: 'N1' });
    const job = await put([changed(row, 0, { tags: [], team: null, gender: null, bibNumber: null })]);
    expect(outcomes(job)).toEqual(['UPDATED']);
    await eventually(async () => (await participantOf(first)).bibNumber === null);
    const now = await participantOf(first);
    expect([now.tags, now.team, answerOf(now, 'gender')]).toEqual([[], null, null]);
  });

  it('finds participants by their external id, in any order', async () => {
    const { row, first, second } = await booked();
    const [one, two] = row.participants;
    const job = await put([{ ...row, participants: [{ ...two, firstName: 'Two' }, one] }]);
    expect(job.results[0]).toMatchObject({
      differs: ['participants[0].firstName'],
      participantIds: [second, first],
    });
    expect(answerOf(await participantOf(second), 'firstName')).toBe('Two');
  });

  it('refuses an external id that no participant of the booking has', async () => {
    const { row, first } = await booked();
    const before = await participantOf(first);
    const externalParticipantId = 'nobody';
    for (const given of [{ externalParticipantId, firstName: 'Eve' }, { externalParticipantId }])
      expect((await put([changed(row, 0, given)])).results[0]?.error).toMatchObject({
        code: 'PARTICIPANT_NOT_RECOGNISED',
        path: 'participants[0].externalParticipantId',
      });
    expect(await participantOf(first)).toEqual(before);
    // Who has none, and is recognised, gets it.
    await put([changed(row, 0, { externalParticipantId: null })]);
    expect(outcomes(await put([row]))).toEqual(['UPDATED']);
    expect(await participantOf(first)).toMatchObject({
      externalParticipantId: row.participants[0].externalParticipantId,
    });
  });

  describe('without external ids of participants', () => {
    const ada = {
      ...{ firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10', email: 'ada@p.example' },
      bibNumber: '1',
    };
    const grace = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1996-12-09', bibNumber: '2' };
    const withPeople = async (persons: object[]) => {
      const { row, ticket: sold } = await booked();
      const rowOf = (given: object[]) => ({
        ...row,
        externalBookingId: `${row.externalBookingId}-people`,
        participants: given.map((each) => ({ ticketId: sold.id, ...each })),
      });
      const [result] = (await post([rowOf(persons)])).results;
      return {
        ids: result?.participantIds as string[],
        again: async (given: object[]) => (await post([rowOf(given)])).results[0],
        correct: async (given: object[]) => (await put([rowOf(given)])).results[0],
      };
    };
    const namesOf = (ids: string[]) =>
      Promise.all(ids.map(async (id) => answerOf(await participantOf(id), 'firstName')));

    it('recognises people in any order and spelling, so that each keeps their bib', async () => {
      const { ids, again, correct } = await withPeople([ada, grace]);
      const swapped = [{ ...grace, firstName: ' GRACE', tags: ['club'] }, ada];
      const reported = {
        participantIds: [ids[1], ids[0]],
        differs: ['participants[0].tags', 'participants[0].firstName'],
      };
      expect(await again(swapped)).toMatchObject({ outcome: 'ALREADY_IMPORTED', ...reported });
      expect(await correct(swapped)).toMatchObject({ outcome: 'UPDATED', ...reported });
      expect(await namesOf(ids)).toEqual(['Ada', ' GRACE']);
      const shown = await Promise.all(ids.map(participantOf));
      expect(shown.map(({ bibNumber, tags }) => [bibNumber, tags])).toEqual([
        ['1', []],
        ['2', ['club']],
      ]);
      const withoutDates = [grace, ada].map(({ dateOfBirth, ...each }) => each);
      expect(await correct(withoutDates)).toMatchObject({ differs: ['participants[0].firstName'] });
    });

    it('recognises the last one who is left if name, birth date or email agrees, and nobody else', async () => {
      const { ids, correct } = await withPeople([ada, grace]);
      for (const other of [
        { firstName: 'Augusta', email: null },
        { dateOfBirth: '1991-12-10', email: 'other@p.example' },
        { lastName: 'King', dateOfBirth: null },
      ]) {
        expect((await correct([grace, { ...ada, ...other }]))?.outcome).toBe('UPDATED');
        expect((await correct([ada, grace]))?.outcome).toBe('UPDATED');
      }
      const eve = { firstName: 'Eve', lastName: 'Moss', dateOfBirth: '1970-01-01', email: 'eve@p.example' };
      for (const row of [
        [grace, eve],
        [eve, { ...grace, firstName: 'Eve' }],
      ])
        expect((await correct(row))?.error).toMatchObject({
          code: 'PARTICIPANT_NOT_RECOGNISED',
          path: `participants[${row.indexOf(eve)}]`,
          message: expect.stringContaining('send externalParticipantId'),
        });
      expect(await namesOf(ids)).toEqual(['Ada', 'Grace']);
    });

    it('recognises the only person of a booking by the address of the booker, and nobody of several', async () => {
      const [one, other] = ['Ada', 'Grace'].map((firstName) => ({ firstName, lastName: 'Byron' }));
      const alone = await withPeople([one as object]);
      expect(await alone.correct([{ ...one, firstName: 'Augusta' }])).toMatchObject({ outcome: 'UPDATED' });
      const both = await withPeople([one, other] as object[]);
      expect((await both.correct([{ ...one, firstName: 'Augusta' }, other as object]))?.error).toMatchObject({
        code: 'PARTICIPANT_NOT_RECOGNISED',
      });
    });

    it('tells namesakes apart by birth date, and by email', async () => {
      const namesakes = [
        [{ dateOfBirth: '1960-01-01' }, { dateOfBirth: '1990-01-01' }],
        [{ email: 'a@p.example' }, { email: 'b@p.example' }],
      ];
      for (const [one, other] of namesakes) {
        const both = [one, other].map((each) => ({ firstName: 'Ada', lastName: 'Lovelace', ...each }));
        const { ids, correct } = await withPeople(both);
        expect(await correct([...both].reverse())).toMatchObject({
          ...{ outcome: 'UNCHANGED', participantIds: [...ids].reverse() },
        });
      }
    });
  });

  it('lets two participants swap their bibs in one request', async () => {
    const { row, first, second } = await booked();
    await put([changed(changed(row, 0, { bibNumber: '1' }), 1, { bibNumber: '2' })]);
    const bibs = async () => [
      (await participantOf(first)).bibNumber,
      (await participantOf(second)).bibNumber,
    ];
    await eventually(async () => `${await bibs()}` === '1,2');
    await put([changed(changed(row, 0, { bibNumber: '2' }), 1, { bibNumber: '1' })]);
    await eventually(async () => `${await bibs()}` === '2,1');
  });

  it("fails rows for bibs that failing rows would have given up, and takes nobody's bib away", async () => {
    const { row, ticket: sold } = await booked();
    const rowOf = (name: string, bibNumber?: string) => ({
      ...row,
      externalBookingId: `${row.externalBookingId}-${name}`,
      participants: [{ firstName: name, lastName: 'Byron', ticketId: sold.id, bibNumber }],
    });
    const holders = [rowOf('A', '5'), rowOf('B', '7'), rowOf('C', '9'), rowOf('D', '11'), rowOf('E', '13')];
    const ids = (await post(holders)).results.map(({ participantIds }: any) => participantIds[0]);
    const bibs = () =>
      Promise.all(ids.map(async (id: string) => (await participantOf(id)).bibNumber)).then((all) =>
        all.join(),
      );
    // A fails, so B, D and E fail in turn: each wants what the next one keeps.
    const wrong = [rowOf('D', '7'), rowOf('A', '9'), rowOf('B', '5'), rowOf('E', '11')];
    expect(errorsOf(await put(wrong))).toEqual([0, 1, 2, 3].map((i) => [i, 'BIB_NUMBER_TAKEN']));
    expect(await bibs()).toBe('5,7,9,11,13');
    // E claims the bib that A holds, and holds none, so a correction of E releases nothing.
    await api.dataSource.query(
      `UPDATE start_list_entries SET bib_claim = '5', bib_number = NULL WHERE participant_id = $1`,
      [ids[4]],
    );
    expect(errorsOf(await put([rowOf('E', '20'), rowOf('B', '5')]))).toEqual([[1, 'BIB_NUMBER_TAKEN']]);
    // Only the first of two rows that want a bib gets it; the second keeps its own.
    const twice = [rowOf('A', '30'), rowOf('B', '30'), rowOf('C', '7'), rowOf('D', '5')];
    expect(errorsOf(await put(twice))).toEqual([1, 2].map((i) => [i, 'BIB_NUMBER_TAKEN']));
    await eventually(async () => (await bibs()) === '30,7,9,5,20');
  });

  it('fails a row for a bib that another one gives up but somebody else waits for', async () => {
    const { row, ticket: sold } = await booked();
    const rowOf = (name: string, bibNumber?: string) => ({
      ...row,
      externalBookingId: `${row.externalBookingId}-${name}`,
      participants: [{ firstName: name, lastName: 'Byron', ticketId: sold.id, bibNumber }],
    });
    const made = await post([rowOf('A', '5'), rowOf('B', '7'), rowOf('C')]);
    const ids = made.results.map(({ participantIds }: any) => participantIds[0] as string);
    const bibs = () => Promise.all(ids.map(async (id) => (await participantOf(id)).bibNumber));
    const { status } = await api.send('PATCH', `/v0/participants/${ids[2]}/race-day`, { bibNumber: '5' });
    expect(status).toBe(200);
    await eventually(async () => (await participantOf(ids[2] as string)).raceDayErrors?.length);
    expect(errorsOf(await put([rowOf('A', '8'), rowOf('B', '5')]))).toEqual([[1, 'BIB_NUMBER_TAKEN']]);
    await eventually(async () => (await bibs()).join() === '8,7,5');
  });

  it('fails a row that cannot be applied, names the reason, and applies nothing of it', async () => {
    const { id: strangers } = await organization(api.dataSource);
    const { raceId } = await ticket(api.dataSource, { organizationId: strangers });
    const foreign = await wave(api.dataSource, { organizationId: strangers, raceId });
    const made: Awaited<ReturnType<typeof booked>>[] = [];
    for (let i = 0; i < 8; i += 1) made.push(await booked());
    await api.send('DELETE', `/v0/bookings/${made[0]?.bookingId}`, undefined);
    const other = await ticket(api.dataSource, mine({ raceId: made[1]?.ticket.raceId }));
    const never = (row: any, more: object) => changed(row, 1, { firstName: 'Never', ...more });
    const spoil: ((row: any) => object)[] = [
      (row) => row,
      (row) => never(row, { ticketId: other.id }),
      (row) => never(row, { price: { value: 1, currencyCode: 'GBP' } }),
      (row) => ({ ...never(row, {}), discountCode: 'NONE' }),
      (row) => never(row, { waveId: foreign.id }),
      (row) => never(row, { fields: [{ id: newId(), value: 'x' }] }),
      (row) => ({ ...never(row, {}), externalBookingId: 'no-order' }),
      (row) => ({ ...row, participants: [row.participants[0]] }),
    ];
    const job = await put(made.map(({ row }, i) => (spoil[i] as any)(row)));
    expect(errorsOf(job)).toEqual([
      [0, 'BOOKING_CANCELLED'],
      [1, 'NOT_CORRECTABLE'],
      [2, 'NOT_CORRECTABLE'],
      [3, 'NOT_CORRECTABLE'],
      [4, 'WAVE_NOT_FOUND'],
      [5, 'FIELD_NOT_FOUND'],
      [6, 'BOOKING_NOT_FOUND'],
      [7, 'NOT_CORRECTABLE'],
    ]);
    const messages = job.errors.map(({ message }: any) => message.split(' ')[0]);
    expect(messages.slice(1, 4)).toEqual([
      'participants[1].ticketId',
      'participants[1].price',
      'discountCode',
    ]);
    for (const { second } of made) expect(answerOf(await participantOf(second), 'firstName')).toBe('Ada');
  });

  it('creates bookings only with create=true, and none for a cancelled one with cancelled=skip', async () => {
    const { row, bookingId } = await booked();
    const fresh = { ...row, externalBookingId: `fresh-${++serial}` };
    const better = changed(row, 0, { firstName: 'Grace' });
    const job = await put([fresh, better], '?create=true');
    expect(outcomes(job)).toEqual(['IMPORTED', 'UPDATED']);
    await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    for (const query of ['?create=true&cancelled=skip', '?cancelled=skip'])
      expect((await put([row], query)).results).toMatchObject([{ outcome: 'CANCELLED_BEFORE', bookingId }]);
    expect(outcomes(await put([row], '?create=true'))).toEqual(['IMPORTED']);
  });

  it('gives a bib to the first row that wants it, of new and existing bookings', async () => {
    const { row } = await booked();
    const fresh = (bibNumber: string) => {
      const [first] = row.participants;
      const participants = [{ ...first, externalParticipantId: null, bibNumber }];
      return { ...row, externalBookingId: `fresh-${++serial}`, participants };
    };
    const rows = [fresh('71'), changed(row, 0, { bibNumber: '71' }), fresh('72'), fresh('72')];
    for (const query of ['?create=true&dryRun=true', '?create=true'])
      expect(errorsOf(await put(rows, query))).toEqual([1, 3].map((i) => [i, 'BIB_NUMBER_TAKEN']));
    const corrected = [changed(row, 0, { bibNumber: '73' }), fresh('73')];
    expect(errorsOf(await put(corrected, '?create=true'))).toEqual([[1, 'BIB_NUMBER_TAKEN']]);
  });

  it('restores no data of a redacted participant', async () => {
    const { row, first } = await booked();
    await api.dataSource.query(
      `UPDATE start_list_entries SET gdpr_redacted = true, fields = '[]', email_normalized = NULL WHERE participant_id = $1`,
      [first],
    );
    const job = await put([changed(row, 1, { firstName: 'Never' })]);
    expect(errorsOf(job)).toEqual([[0, 'PARTICIPANT_REDACTED']]);
    expect((await post([row])).results[0].differs).toEqual([]);
    const answer = await api.send('PATCH', `/v0/participants/${first}`, { firstName: 'Ada' });
    expect([answer.status, answer.body.message]).toEqual([400, 'The participant was redacted']);
  });

  it('refuses what a row says of a participant who was cancelled alone, unless it is what is stored', async () => {
    const { row, ticket: sold } = await booked();
    const { id: waveId } = await wave(api.dataSource, mine({ raceId: sold.raceId }));
    const others: object[] = [
      { lastName: 'Hopper' },
      { tags: ['b'] },
      { bibNumber: 'Other' },
      { team: { name: 'Elsewhere' } },
      { team: null },
      { waveId },
      { ticketId: newId() },
      { price: { value: 1, currencyCode: 'GBP' } },
    ];
    const rows = others.map((_, i) => ({
      ...changed(row, 1, { bibNumber: `C${i}`, tags: ['a'], team: { name: 'Engines' } }),
      externalBookingId: `${row.externalBookingId}-${i}`,
    }));
    const made = (await post(rows)).results.map(({ participantIds }: any) => participantIds as string[]);
    for (const [, second] of made)
      expect((await api.send('DELETE', `/v0/participants/${second}`, undefined)).status).toBe(200);
    const shown = () => Promise.all(made.flat().map(participantOf));
    const before = await shown();
    // What a nightly job sends again.
    const spelled = rows.map((each, i) =>
      changed(each, 1, { bibNumber: ` c${i}`, team: { name: 'ENGINES' } }),
    );
    for (const same of [rows, spelled])
      expect(outcomes(await put(same))).toEqual(others.map(() => 'UNCHANGED'));

    const wrong = rows.map((each, i) =>
      changed(changed(each, 0, { firstName: 'Never' }), 1, others[i] as object),
    );
    const paths = others.map((given) => `participants[1].${Object.keys(given)[0]}`);
    expect((await post(wrong)).results.map(({ differs }: any) => differs)).toEqual(
      paths.map((path) => [path]),
    );
    expect((await put(wrong)).errors).toMatchObject(paths.map((path) => ({ code: 'NOT_CORRECTABLE', path })));
    expect(await shown()).toEqual(before);
    expect(outcomes(await put([changed(rows[0], 0, { firstName: 'Grace' })]))).toEqual(['UPDATED']);
    expect(answerOf(await participantOf(made[0]?.[0] as string), 'firstName')).toBe('Grace');
  });

  it("finds a cancelled participant without an address by the booker's corrected one", async () => {
    const { row, result } = await booked();
    const [, second] = result.participantIds;
    const nameless = changed(row, 1, { email: null });
    await put([nameless]);
    await api.send('DELETE', `/v0/participants/${second}`, undefined);
    const [before, after] = [row.booker.email, `corrected-${++serial}@example.com`];
    expect(outcomes(await put([{ ...nameless, booker: { ...row.booker, email: after } }]))).toEqual([
      'UPDATED',
    ]);
    const found = async (email: string) =>
      (await api.get(`/v0/participants?email=${email}`)).body.data.map(({ id }: any) => id);
    expect([await found(before), await found(after)]).toEqual([[], [second]]);
  });

  it('refuses the row of a booking whose booker was erased, and gives nothing back', async () => {
    const { row, first, bookingId } = await booked({ metadata: { shop: 'A' } });
    const actor = { type: 'SYSTEM', id: null, origin: null } as const;
    await erasePerson(api.dataSource, mine({ email: row.booker.email, dryRun: false }), actor);
    const before = [await booking(bookingId), await participantOf(first)];
    for (const other of [row, { ...row, metadata: { shop: 'B' } }])
      expect((await put([other])).results[0]?.error).toMatchObject({
        code: 'NOT_CORRECTABLE',
        path: 'booker',
      });
    expect([await booking(bookingId), await participantOf(first)]).toEqual(before);
    // What the row does not repeat can still be corrected.
    const { body } = await api.send('PATCH', `/v0/participants/${first}`, { tags: ['a'] });
    expect(body.tags).toEqual(['a']);
  });

  it('compares discount codes as imports do, in any spelling', async () => {
    const code = `ÉTÉ${++serial}`;
    await discountCode(api.dataSource, mine({ code }));
    const { row } = await booked({ discountCode: code });
    const otherwise = { ...row, discountCode: code.toLowerCase().normalize('NFD') };
    expect((await post([otherwise])).results[0]).toMatchObject({ outcome: 'ALREADY_IMPORTED', differs: [] });
    expect(outcomes(await put([otherwise]))).toEqual(['UNCHANGED']);
  });

  it('recognises the price of a unit, whichever of its participants a row names first', async () => {
    const price = { value: 9000, currencyCode: 'GBP' };
    const { row } = await booked({}, { unitSize: 2 });
    const sold = changed({ ...row, externalBookingId: `unit-${++serial}` }, 0, { price });
    const named = {
      ...sold,
      participants: sold.participants.map(({ externalParticipantId: _, ...one }: any) => one),
    };
    expect(outcomes(await post([named]))).toEqual(['IMPORTED']);
    const turned = { ...named, participants: [...named.participants].reverse() };
    expect((await post([turned])).results[0]).toMatchObject({ outcome: 'ALREADY_IMPORTED', differs: [] });
    expect(outcomes(await put([turned]))).toEqual(['UNCHANGED']);
    const dearer = changed(turned, 0, { price });
    expect(errorsOf(await put([dearer]))).toEqual([[0, 'INVALID_PRICE']]);
  });

  it('recognises the price of a unit after a move that has changed which entries form it', async () => {
    const price = { value: 9000, currencyCode: 'GBP' };
    const { row, ticket: sold } = await booked({}, { unitSize: 2 });
    const units = {
      ...row,
      externalBookingId: `units-${++serial}`,
      participants: [0, 1, 2, 3].map((i) => ({
        ...{ ...row.participants[0], firstName: `${i}`, externalParticipantId: `unit-${i}` },
        ...(i % 2 === 0 && { price }),
      })),
    };
    const [{ participantIds }] = (await post([units])).results;
    const { id: ticketId } = await ticket(api.dataSource, mine({ raceId: sold.raceId }));
    const { status } = await api.send('POST', `/v0/participants/${participantIds[0]}/move`, { ticketId });
    expect(status).toBe(200);
    const moved = changed(units, 0, { ticketId, price: undefined });
    expect((await post([moved])).results[0]).toMatchObject({ outcome: 'ALREADY_IMPORTED', differs: [] });
    expect(outcomes(await put([moved]))).toEqual(['UNCHANGED']);
  });

  it('keeps the charge of a team ticket', async () => {
    const { row, second } = await booked({}, { unitSize: 2 });
    const refused = await put([changed(row, 1, { team: { name: 'Elsewhere' } })]);
    expect(errorsOf(refused)).toEqual([[0, 'NOT_CORRECTABLE']]);
    expect(refused.errors[0].message).toContain('participants[1].team');
    const team = { name: 'Together' };
    expect(outcomes(await put([changed(changed(row, 0, { team }), 1, { team })]))).toEqual(['UPDATED']);
    expect(await participantOf(second)).toMatchObject({ team });
  });

  it('reports with dryRun=true what it would correct, and corrects nothing', async () => {
    const { row, first } = await booked();
    const before = await participantOf(first);
    const better = changed(row, 0, { firstName: 'Grace', bibNumber: 'D1' });
    const dry = await put([better], '?dryRun=true');
    const real = await (async () => {
      expect(await participantOf(first)).toEqual(before);
      return put([better]);
    })();
    expect(dry.results).toEqual(real.results);
  });

  it('rejects scoped keys, and organizations without the surface', async () => {
    const { row } = await booked();
    const scoped = await key(api.dataSource, mine({ endpoints: ['registrationStatus'] }));
    expect((await api.send('PUT', `/v0/${PATH}`, { bookings: [row] }, scoped.token)).status).toBe(403);
    const other = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId: other.id });
    const answer = await importRowsOf(token, row);
    expect(answer).toBe(true);
  });
});

/** Corrections by another organization find nothing: they get 403, or each row fails. */
async function importRowsOf(token: string, row: object): Promise<boolean> {
  const { status, body } = await api.send('PUT', `/v0/${PATH}`, { bookings: [row] }, token);
  if (status === 403) return true;
  const job = await api.client(token).finished(body, { everyMs: 10 });
  return job.errors[0]?.code === 'BOOKING_NOT_FOUND';
}

describe('PATCH /v0/participants/{id}', () => {
  const patch = (id: string, body: object, token?: string) =>
    api.send('PATCH', `/v0/participants/${id}`, body, token);

  it('corrects a participant, returns it, and keeps everything else', async () => {
    const { first, ticket: sold } = await booked();
    const { id: waveId } = await wave(api.dataSource, mine({ raceId: sold.raceId }));
    const before = await participantOf(first);
    const { status, body } = await patch(first, {
      lastName: 'Hopper',
      waveId,
      tags: ['x'],
      metadata: { a: 1 },
    });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body).toMatchObject({ participantId: first, tags: ['x'], waves: [{ id: waveId }] });
    expect([answerOf(body, 'firstName'), answerOf(body, 'lastName')]).toEqual(['Ada', 'Hopper']);
    const after = await participantOf(first);
    expect(after.metadata).toMatchObject({
      a: 1,
      startline: { importJobId: before.metadata.startline.importJobId },
    });
    expect((await patch(first, { lastName: 'Hopper' })).body.updatedAt).toBe(after.updatedAt);
    await patch(first, { bibNumber: 'M&M' });
    await eventually(async () => (await participantOf(first)).bibNumber === 'M&M');
  });

  it('corrects a participant, although their ticket was deleted, which nobody gets any more', async () => {
    const { row, ticket: sold, first, second } = await booked();
    const { id: ticketId } = await ticket(
      api.dataSource,
      mine({ raceId: sold.raceId, deletedAt: new Date() }),
    );
    await api.dataSource.query('UPDATE start_list_entries SET ticket_id = $2 WHERE participant_id = $1', [
      first,
      ticketId,
    ]);
    for (const id of [first, second])
      expect((await patch(id, { lastName: 'Hopper' })).body).toMatchObject({ participantId: id });
    const again = changed(row, 0, { ticketId });
    const differs = ['participants[0].lastName', 'participants[1].lastName'];
    expect((await post([again])).results[0]).toMatchObject({ outcome: 'ALREADY_IMPORTED', differs });
    expect((await put([again])).results[0]).toMatchObject({ outcome: 'UPDATED', differs });
    expect(errorsOf(await put([changed(again, 1, { ticketId })]))).toEqual([[0, 'NOT_CORRECTABLE']]);
    const fresh = { ...again, externalBookingId: `order-${++serial}` };
    expect(errorsOf(await post([fresh]))).toEqual([[0, 'TICKET_NOT_FOUND']]);
  });

  it.each(['id', 'key'] as const)('stores, replaces and removes answers named by %s', async (name) => {
    const question = await bookingFormField(
      api.dataSource,
      mine({ key: `shirt${++serial}`, label: 'Shirt', type: 'TEXT' }),
    );
    const { row, ticket: sold, first } = await booked();
    await bookingForm(api.dataSource, mine({ fieldIds: [question.id], ticketIds: [sold.id] }));
    const answered = (value: string | null) => [{ [name]: question[name], value }];
    const stored = async () =>
      (await participantOf(first)).fields.find(({ id }: { id: string }) => id === question.id)?.value;
    const correct = async (value: string | null) =>
      (await put([changed(row, 0, { fields: answered(value) })])).results[0];
    const differs = { differs: ['participants[0].fields[0]'] };
    expect((await post([changed(row, 0, { fields: answered('S') })])).results[0]).toMatchObject(differs);
    for (const value of ['S', 'M', null]) {
      expect(await correct(value)).toMatchObject({ outcome: 'UPDATED', ...differs });
      expect(await stored()).toBe(value);
      expect((await correct(value)).outcome).toBe('UNCHANGED');
    }
    for (const value of ['L', 'XL', null]) {
      const { body } = await patch(first, { fields: answered(value) });
      expect(answerOf(body, question.key)).toBe(value);
      expect(await stored()).toBe(value);
    }
  });

  it('bounds the answers of an entry together', async () => {
    const questions = await Promise.all(
      ['one', 'two'].map((label) =>
        bookingFormField(api.dataSource, mine({ key: `${label}${++serial}`, label, type: 'TEXT' })),
      ),
    );
    const [one, two] = questions.map(({ id }) => ({ id, value: 'x'.repeat(12_000) }));
    const { row, ticket: sold, first } = await booked();
    await bookingForm(
      api.dataSource,
      mine({ fieldIds: questions.map(({ id }) => id), ticketIds: [sold.id] }),
    );
    expect((await patch(first, { fields: [one] })).status).toBe(200);
    const refused = await patch(first, { fields: [two] });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'fields must not have more than 20000 characters together',
    ]);
    expect((await patch(first, { fields: [{ ...one, value: null }, two] })).status).toBe(200);
    const job = await post([
      { ...changed(row, 1, { fields: [one, two] }), externalBookingId: `order-${++serial}` },
    ]);
    expect(job.errors).toMatchObject([{ code: 'INVALID_ANSWER' }]);
  });

  it('rejects invalid corrections, and changes nothing', async () => {
    const { first, second, bookingId } = await booked();
    const { id: strangers } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId: strangers });
    expect((await patch(first, { firstName: 'X' }, token)).status).toBe(404);
    expect((await patch(newId(), { firstName: 'X' })).status).toBe(404);
    const refused: [object, string][] = [
      [{}, 'The body must have a property to change'],
      [{ firstName: 'X', waveId: newId() }, "waveId is not a wave of the ticket's race"],
      [{ firstName: 'X', metadata: { startline: 1 } }, 'metadata.startline is set by the platform'],
      [{ ticketId: newId() }, 'ticketId'],
      [{ metadata: { a: 'x'.repeat(10_000) } }, 'metadata must not be longer than 10000 characters'],
      [{ fields: [{ value: 'M' }] }, 'fields[0] must have id or key, and only one of them'],
      [
        { fields: [{ id: newId(), key: 'a', value: 'M' }] },
        'fields[0] must have id or key, and only one of them',
      ],
    ];
    for (const [body, message] of refused) {
      const answer = await patch(first, body);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(answerOf(await participantOf(first), 'firstName')).toBe('Ada');
    await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    expect((await patch(second, { firstName: 'X' })).body.message).toBe('The booking is cancelled');
  });
});
