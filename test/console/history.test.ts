import {
  bookingForm,
  bookingFormField,
  discountCode,
  key,
  organization,
  partner,
  ticket,
} from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';
import { message } from '../race-day/race-day';
import { type Browser, signedIn } from './console';

let api: TestApi;
let manager: Browser;
let email: string;
beforeAll(async () => {
  api = await sharedApi();
  ({ browser: manager, email } = await signedIn(api, 'MANAGER'));
});
afterAll(() => api.close());

type Json = Record<string, any>;
const historyOf = async (subjectId: string, more = '', browser = manager): Promise<Json[]> =>
  (await browser.ask('GET', `/console/v1/history?subjectId=${subjectId}${more}`)).body.data;

async function registered() {
  const sold = await ticket(api.dataSource, { organizationId: api.organizationId });
  const { jobId, results } = await importRows(api, 'bookings/import', {
    bookings: [
      {
        externalBookingId: `history-${sold.id}`,
        eventOccurrenceId: sold.eventOccurrenceId,
        booker: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelase' },
        participants: [
          { ticketId: sold.id, firstName: 'Ada', lastName: 'Lovelase', email: 'ada@example.com' },
        ],
      },
    ],
  });
  return { jobId, bookingId: results[0].bookingId as string, id: results[0].participantIds[0] as string };
}

describe('the history of a participant', () => {
  it('says who imported, corrected, timed and cancelled it, from what to what', async () => {
    const { jobId, bookingId, id } = await registered();
    const path = `/console/v1/participants/${id}/race-day`;
    const corrected = await manager.ask('PATCH', `/v0/participants/${id}`, { tags: ['club'] });
    expect(corrected.status).toBe(200);
    for (const checkIn of [true, false])
      await manager.ask('PATCH', path, { customFields: [{ id: 'checkIn', value: checkIn }] });
    const { token } = await key(api.dataSource, { organizationId: api.organizationId, kind: 'TIMING' });
    const sent = message({ participantId: id, bibNumber: 'H1' }, new Date().toISOString());
    expect((await api.send('POST', '/timing-inbound/v1', sent, token)).status).toBe(200);
    await manager.ask('DELETE', `/v0/bookings/${bookingId}`);
    const found = await historyOf(id);
    expect(
      found.map(({ actorType, actorName, action, changes }) => [actorType, actorName, action, changes]),
    ).toEqual([
      ['STAFF', email, 'booking.cancel', null],
      [
        'KEY',
        expect.stringMatching(/^Key /),
        'race_day.timing',
        [{ field: 'bibNumber', from: null, to: 'H1' }],
      ],
      ['STAFF', email, 'race_day.race_day', [{ field: 'raceDayFields.checkIn', from: 'true', to: 'false' }]],
      ['STAFF', email, 'race_day.race_day', [{ field: 'raceDayFields.checkIn', from: null, to: 'true' }]],
      ['STAFF', email, 'participant.update', [{ field: 'tags', from: '[]', to: '["club"]' }]],
      ['IMPORT', expect.stringMatching(/^Key /), 'participant.import', null],
    ]);
    expect(found.at(-1)).toMatchObject({ actorId: jobId, details: { row: 0 }, objectId: id });
    // Its booking has the same history, and other participants have another.
    expect(await historyOf(bookingId)).toEqual(found);
    expect(await historyOf((await registered()).id)).toHaveLength(1);
  });

  it('is found by person and time, page by page', async () => {
    const { id } = await registered();
    for (const tag of ['a', 'b', 'c']) await manager.ask('PATCH', `/v0/participants/${id}`, { tags: [tag] });
    const [newest, , oldest, imported] = await historyOf(id);
    const only = await historyOf(id, `&actorId=${newest?.actorId}`);
    expect(only.map(({ changes }) => changes[0].to)).toEqual(['["c"]', '["b"]', '["a"]']);
    expect(await historyOf(id, `&at[before]=${oldest?.at}`)).toEqual([imported]);
    expect(await historyOf(id, `&at[after]=${oldest?.at}`)).toEqual(only.slice(0, 2));
    const { body } = await manager.ask('GET', `/console/v1/history?subjectId=${id}&page[size]=3`);
    expect(body.page.totalResults).toBe(4);
    expect(await historyOf(id, `&page[size]=3&page[after]=${body.page.next}`)).toEqual([imported]);
  });
});

describe('values in the audit log', () => {
  it('tell an answer from the property that has the key of its question', async () => {
    const { id } = await registered();
    const { ticketId } = (await api.get(`/v0/participants/${id}`)).body;
    const { organizationId } = api;
    const { id: fieldId } = await bookingFormField(api.dataSource, { organizationId, key: 'notes' });
    await bookingForm(api.dataSource, { organizationId, fieldIds: [fieldId], ticketIds: [ticketId] });
    const fields = [{ key: 'notes', value: 'Starts late' }];
    await manager.ask('PATCH', `/v0/participants/${id}`, { fields, notes: ['Has a guide'] });
    const [{ changes }] = (await historyOf(id)) as [Json];
    expect(changes).toEqual([
      { field: 'fields.notes', from: null, to: 'Starts late' },
      { field: 'notes', from: '[]', to: '["Has a guide"]' },
    ]);
  });

  it('are kept of staff, and not of keys', async () => {
    const { id } = await partner(api.dataSource, { organizationId: api.organizationId, name: 'Harbour' });
    await api.send('PATCH', `/v0/partners/${id}`, { name: 'Harbour Runners', description: 'They run.' });
    const [byKey] = await historyOf(id);
    expect(byKey).toMatchObject({
      action: 'partner.update',
      actorType: 'KEY',
      changes: null,
      details: { changed: expect.arrayContaining(['name', 'description']) },
    });
    await api.send('PATCH', `/v0/partners/${id}`, { name: 'Harbour Runners' });
    expect(await historyOf(id)).toHaveLength(1);
  });

  it('tell that staff gave a discount code another group', async () => {
    const { id } = await discountCode(api.dataSource, { organizationId: api.organizationId });
    const change = (group: string | null) => manager.ask('PATCH', `/v0/discount-codes/${id}`, { group });
    expect((await change('Spring')).status).toBe(200);
    await change('Spring');
    await change(null);
    expect((await historyOf(id)).map(({ action, changes }) => [action, changes])).toEqual([
      ['discount_code.update', [{ field: 'group', from: 'Spring', to: null }]],
      ['discount_code.update', [{ field: 'group', from: null, to: 'Spring' }]],
    ]);
  });

  it('tell what changed in which part of the catalogue', async () => {
    const sold = await ticket(api.dataSource, { organizationId: api.organizationId, maxCapacity: 10 });
    const { body } = await manager.ask(
      'GET',
      `/console/v1/catalogue/event-occurrences/${sold.eventOccurrenceId}`,
    );
    const records: Json[] = body.records.map(({ record }: Json) => structuredClone(record));
    const occurrence = records.find(({ record }) => record === 'occurrence') as Json;
    occurrence.title = 'Harbour Run';
    occurrence.races[0].tickets[0].maxCapacity = 20;
    const written = await manager.ask('PUT', '/console/v1/catalogue', { records });
    expect(written.status).toBe(200);
    const capacity = [{ field: 'maxCapacity', from: '10', to: '20' }];
    expect((await historyOf(sold.id)).map(({ action, changes }) => [action, changes])).toEqual([
      ['catalogue.update', capacity],
    ]);
    const all = await historyOf(sold.eventOccurrenceId);
    expect(all.map(({ objectType, changes }) => [objectType, changes]).sort()).toEqual([
      ['event_occurrence', [expect.objectContaining({ field: 'title', to: 'Harbour Run' })]],
      ['ticket', capacity],
    ]);
  });
});

it('tells nothing to other organizations, nor to those who only read', async () => {
  const { id } = await registered();
  const other = await organization(api.home);
  const stranger = await signedIn(api, 'OWNER', undefined, other.id);
  expect(await historyOf(id, '', stranger.browser)).toEqual([]);
  const viewer = await signedIn(api, 'VIEWER');
  expect((await viewer.browser.ask('GET', `/console/v1/history?subjectId=${id}`)).status).toBe(403);
  expect((await manager.ask('GET', '/console/v1/history')).status).toBe(400);
});
