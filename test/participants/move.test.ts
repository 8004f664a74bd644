import {
  booking,
  discountCode,
  key,
  organization,
  partner,
  race,
  reservedEntryGroup,
  ticket,
  wave,
} from '#libs/testing';
import { newId, ReservedEntryGroupTicket, type Ticket } from '#platform/database';
import { signedIn } from '../console/console';
import { expectCountersRight } from '../faults/recount';
import { eventually, sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows, sale } from '../imports/import';
import { at, message, RaceDay, shipping } from '../race-day/race-day';

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await sharedApi();
  raceDay = await RaceDay.of(api);
  // From now on, changes are announced.
  await api.get('/v0/change-events');
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const move = (id: string, body: object, token?: string) =>
  api.send('POST', `/v0/participants/${id}/move`, body, token);
const read = async (id: string) => (await api.get(`/v0/participants/${id}?extendMetadata=true`)).body as any;
const bookingOf = async (id: string) => (await api.get(`/v0/bookings/${id}`)).body as any;
const query = (sql: string, ...values: unknown[]) => api.dataSource.query(sql, values);
const problemOf = ({ status, body }: { status: number; body: any }) => [
  status,
  body.problems?.[0]?.path,
  body.problems?.[0]?.code,
];

/** Two races of an occurrence with a ticket each, and bookings of the first. */
async function twoRaces(
  first: Partial<Ticket> = {},
  second: Partial<Ticket> = {},
  limits: { maxCapacity?: number } = {},
) {
  const { row, participant, ticket: from } = await sale(api, { priceValue: '4000', ...first });
  const { eventOccurrenceId } = from;
  const other = await race(api.dataSource, mine({ eventOccurrenceId, ...limits }));
  const to = await ticket(api.dataSource, mine({ raceId: other.id, priceValue: '5500', ...second }));
  const book = async (...participants: object[]) => {
    const booked = row({ participants: (participants.length ? participants : [{}]).map(participant) });
    const job = await importRows(api, 'bookings/import', { bookings: [booked] });
    expect(errorsOf(job)).toEqual([]);
    const [{ bookingId, participantIds }] = job.results as any;
    return { bookingId: bookingId as string, ids: participantIds as string[], booked };
  };
  return { from, to, other, book, participant, row };
}

const itemsOf = async (bookingId: string) =>
  ((await api.get(`/v0/bookings/${bookingId}/line-items`)).body as any).data.map(
    ({ name, itemType, itemId, amount }: any) => ({ name, itemType, itemId, value: amount.value }),
  );

describe('POST /v0/participants/{id}/move', () => {
  it('charges the difference, releases the bib in another race, and shows in both races, events and totals', async () => {
    const { from, to, book } = await twoRaces();
    const { ids, bookingId } = await book({ bibNumber: '17' }, { bibNumber: '18' });
    const [id] = ids as [string];
    const before = await read(id);
    const { status, body } = await move(id, { ticketId: to.id });
    expect([status, body.ticketId, body.raceId, body.bibNumber, body.waves]).toEqual([
      ...[200, to.id, to.raceId, null, []],
    ]);
    expect(body.originalTicketPrice.value).toBe(5500);
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect((await itemsOf(bookingId)).filter(({ name }: any) => name === 'Change of ticket')).toEqual([
      { name: 'Change of ticket', itemType: 'TICKET', itemId: to.id, value: 1500 },
    ]);
    expect((await bookingOf(bookingId)).total).toEqual({ value: 9500, currencyCode: 'GBP' });
    const inRace = async (raceId: string) =>
      ((await api.get(`/v0/races/${raceId}/participants`)).body as any).data.map((each: any) => each.id);
    expect([await inRace(from.raceId), await inRace(to.raceId)]).toEqual([[ids[1]], [id]]);
    const events = await query('SELECT type, data FROM change_events WHERE subject_id = $1', id);
    expect(events).toContainEqual({
      type: 'participant.updated',
      data: expect.objectContaining({
        changed: expect.arrayContaining(['ticketId', 'raceId', 'originalTicketPrice']),
      }),
    });
    // The same once more does nothing, and back costs nothing.
    expect((await move(id, { ticketId: to.id })).body).toEqual(body);
    await move(id, { ticketId: from.id });
    expect((await bookingOf(bookingId)).total.value).toBe(8000);
    await expectCountersRight(api.dataSource);
  });

  it('lets the bib in the former race go to its next claimant, and messages find who had it then', async () => {
    const { from, to, book } = await twoRaces();
    const { ids } = await book({}, {});
    const [id, next] = ids as [string, string];
    const there = await raceDay.participants(1, to.id);
    await raceDay.accepted(message({ participantId: id, bibNumber: '7' }, at(8)));
    await raceDay.accepted(message({ participantId: next, bibNumber: '7' }, at(9)));
    await raceDay.accepted(message({ participantId: there[0], bibNumber: '7' }, at(9)));
    await raceDay.settled();
    expect(await raceDay.bibs([id, next, there[0] as string])).toEqual(['7', null, '7']);
    expect((await move(id, { ticketId: to.id })).status).toBe(200);
    expect(await raceDay.bibs([id, next, there[0] as string])).toEqual([null, '7', '7']);
    // A claim of the time before arrives late: it is one of the former race, and nobody loses the bib in the new one.
    await raceDay.accepted(message({ participantId: id, bibNumber: '7' }, at(7)));
    await raceDay.settled();
    expect(await raceDay.bibs([id, next, there[0] as string])).toEqual([null, '7', '7']);
    const claims = await query(
      'SELECT race_id, bib_number, held_until FROM bib_claims WHERE participant_id = $1 ORDER BY changed_at',
      id,
    );
    expect(claims.map((claim: any) => [claim.bib_number, claim.race_id])).toEqual([
      ...[
        ['7', from.raceId],
        ['7', from.raceId],
        [null, from.raceId],
      ],
    ]);
    // In the new race the participant can have a bib again.
    await raceDay.accepted(message({ participantId: id, bibNumber: '70' }, new Date().toISOString()));
    await eventually(async () => (await read(id)).bibNumber === '70');
    await raceDay.settled();
    const [latest] = await query(
      `SELECT race_id FROM bib_claims WHERE participant_id = $1 AND bib_number = '70'`,
      id,
    );
    expect(latest.race_id).toBe(to.raceId);
  });

  it('gives a message with only the bib to who had it in the former race at that time', async () => {
    const { to, book } = await twoRaces();
    const { ids } = await book({});
    const [id] = ids as [string];
    await raceDay.accepted(message({ participantId: id, bibNumber: 'M1' }, at(8)));
    await raceDay.settled();
    await move(id, { ticketId: to.id });
    await raceDay.accepted(message({ bibNumber: 'M1', shipping: shipping() }, at(9)));
    await raceDay.settled();
    expect((await raceDay.shown(id)).shipping).toMatchObject({ status: 'SHIPPED' });
  });

  it('moves to a wave, keeps it with another ticket of the race, and leaves it with the race', async () => {
    const { from, to, book } = await twoRaces();
    const early = await wave(api.dataSource, mine({ raceId: from.raceId, capacity: 1 }));
    const sibling = await ticket(api.dataSource, mine({ raceId: from.raceId, priceValue: '4000' }));
    const { ids, bookingId } = await book({}, {});
    const [id, other] = ids as [string, string];
    const waveOf = ({ body }: any) => body.waves.map((each: any) => each.id);
    expect(waveOf(await move(id, { waveId: early.id }))).toEqual([early.id]);
    expect(problemOf(await move(other, { waveId: early.id }))).toEqual([
      400,
      'waveId',
      'NO_CAPACITY_REMAINING',
    ]);
    const patched = (of: string) => api.send('PATCH', `/v0/participants/${of}`, { waveId: early.id });
    expect(problemOf(await patched(other))).toEqual([400, 'waveId', 'NO_CAPACITY_REMAINING']);
    expect((await patched(id)).status).toBe(200);
    expect(waveOf(await move(id, { ticketId: sibling.id }))).toEqual([early.id]);
    expect(await itemsOf(bookingId)).toContainEqual(
      expect.objectContaining({ name: 'Change of ticket', value: 0 }),
    );
    expect(problemOf(await move(id, { ticketId: to.id, waveId: early.id }))).toEqual([
      400,
      'waveId',
      'WAVE_NOT_FOUND',
    ]);
    expect(waveOf(await move(id, { ticketId: to.id }))).toEqual([]);
    expect(waveOf(await move(other, { waveId: early.id }))).toEqual([early.id]);
    await expectCountersRight(api.dataSource);
  });

  it('needs a place in the wave also for an entry that takes none of its ticket and race', async () => {
    const { from, book } = await twoRaces();
    const full = await wave(api.dataSource, mine({ raceId: from.raceId, capacity: 1 }));
    const { ids } = await book({ waveId: full.id }, {});
    const id = ids[1] as string;
    await query('UPDATE start_list_entries SET takes_place = false WHERE participant_id = $1', id);
    expect(problemOf(await move(id, { waveId: full.id }))).toEqual([
      ...[400, 'waveId', 'NO_CAPACITY_REMAINING'],
    ]);
    await query('UPDATE waves SET capacity = 2 WHERE id = $1', full.id);
    expect((await move(id, { waveId: full.id })).status).toBe(200);
  });

  it('shows and announces a donation where the ticket asks for one', async () => {
    const { from, to, book } = await twoRaces({}, { asksDonation: true });
    const { ids, bookingId } = await book({});
    const [id] = ids as [string];
    const lineItems = [
      {
        ...{
          externalLineItemId: `donation-${bookingId}`,
          bookingId,
          participantId: id,
          itemType: 'DONATION',
        },
        ...{ name: 'Donation', amount: { value: 500, currencyCode: 'GBP' } },
      },
    ];
    expect(errorsOf(await importRows(api, 'bookings/line-items/import', { lineItems }))).toEqual([]);
    const { applicationId } = await read(id);
    const shown = async () => ((await api.get(`/v0/applications/${applicationId}`)).body as any).hasDonated;
    const seen = [];
    for (const ticketId of [to.id, from.id, to.id]) {
      await move(id, { ticketId });
      seen.push(await shown());
    }
    expect(seen).toEqual([true, undefined, true]);
    const moves = await query(
      `SELECT data FROM change_events WHERE subject_id = $1 AND data->'changed' ? 'ticketId'`,
      id,
    );
    expect(moves.map(({ data }: any) => data.changed.includes('hasDonated'))).toEqual([true, true, true]);
  });

  it('refuses what has no place, another currency, or is elsewhere, and changes nothing', async () => {
    const { to, book } = await twoRaces({}, { maxCapacity: 1 });
    const full = await twoRaces({}, {}, { maxCapacity: 0 });
    const { eventOccurrenceId } = to;
    const dollars = await ticket(api.dataSource, mine({ eventOccurrenceId, currencyCode: 'USD' }));
    const { ids, bookingId } = await book({ bibNumber: '1' }, { bibNumber: '2' }, {});
    const [id, second, third] = ids as [string, string, string];
    expect((await move(second, { ticketId: to.id })).status).toBe(200);
    await api.send('DELETE', `/v0/participants/${third}`, undefined);
    const before = [await read(id), await bookingOf(bookingId)];
    const full1 = await full.book({});
    expect(problemOf(await move(full1.ids[0] as string, { ticketId: full.to.id }))).toEqual([
      ...[400, 'ticketId', 'NO_CAPACITY_REMAINING'],
    ]);
    for (const [body, path, code] of [
      [{ ticketId: to.id }, 'ticketId', 'NO_CAPACITY_REMAINING'],
      [{ ticketId: dollars.id }, 'ticketId', 'CURRENCY_MISMATCH'],
      [{ ticketId: full.to.id }, 'ticketId', 'TICKET_NOT_FOUND'],
      [{ ticketId: newId() }, 'ticketId', 'TICKET_NOT_FOUND'],
      [{ waveId: newId() }, 'waveId', 'WAVE_NOT_FOUND'],
      [{ ticketId: 'x' }, 'ticketId', 'INVALID_FORMAT'],
    ] as const)
      expect(problemOf(await move(id, body))).toEqual([400, path, code]);
    expect((await move(id, {})).status).toBe(400);
    expect((await move(third, { ticketId: to.id })).body.message).toContain('cancelled');
    expect((await move(newId(), { ticketId: to.id })).status).toBe(404);
    const { token } = await key(api.dataSource, { organizationId: (await organization(api.dataSource)).id });
    expect((await move(id, { ticketId: to.id }, token)).status).toBe(404);
    expect([await read(id), await bookingOf(bookingId)]).toEqual(before);
    await expectCountersRight(api.dataSource);
  });

  it('counts units of team tickets: a place is paid for once, also by the last who leaves', async () => {
    const { to, book } = await twoRaces({ unitSize: 2, priceValue: '9000' });
    const { ids, bookingId } = await book({}, {}, {}, {});
    const totals = [];
    for (const id of ids) {
      await move(id, { ticketId: to.id });
      totals.push((await bookingOf(bookingId)).total.value);
    }
    // 2 units are 18000; of 3, 2 and 1 entries there are 2, 1 and 1 units left.
    expect(totals).toEqual([23500, 20000, 25500, 22000]);
    await expectCountersRight(api.dataSource);
  });

  it('charges nothing for units that were sold otherwise', async () => {
    const { from, to, book } = await twoRaces({ priceValue: '9000' });
    const { ids, bookingId } = await book({}, {}, {});
    const { total } = await bookingOf(bookingId);
    await query('UPDATE tickets SET unit_size = 2 WHERE id = $1', from.id);
    await move(ids[2] as string, { ticketId: to.id });
    expect((await bookingOf(bookingId)).total.value - total.value).toBe(5500 - 9000);
  });

  it('leaves what a code has counted, whatever the tickets are then', async () => {
    const { from, to, row, participant } = await twoRaces();
    const cancel = (id: string | undefined) => api.send('DELETE', `/v0/participants/${id}`, undefined);
    const sold = async (code: string, ...ticketIds: string[]) => {
      const { id } = await discountCode(
        api.dataSource,
        mine({ code, appliesPer: 'ENTRY' as const, ticketIds: [from.id] }),
      );
      const participants = ticketIds.map((ticketId) => participant({ ticketId }));
      const job = await importRows(api, 'bookings/import', {
        bookings: [row({ discountCode: code, participants })],
      });
      expect(errorsOf(job)).toEqual([]);
      const uses = async () => (await query('SELECT usage_count FROM discount_codes WHERE id = $1', id))[0];
      return { ids: (job.results as any)[0].participantIds as string[], uses };
    };
    const one = await sold(`MOVE-${newId()}`, from.id, to.id);
    await move(one.ids[1] as string, { ticketId: from.id });
    await cancel(one.ids[1]);
    expect(await one.uses()).toEqual({ usage_count: 1 });

    const both = await sold(`MOVE-${newId()}`, from.id, from.id);
    for (const ticketId of [to.id, from.id, to.id]) await move(both.ids[0] as string, { ticketId });
    await cancel(both.ids[0]);
    expect(await both.uses()).toEqual({ usage_count: 1 });
  });

  it('gives a free booking the currency of its ticket, and is known to imports and their undo', async () => {
    const { to, book } = await twoRaces({ currencyCode: 'ZERO', priceValue: '0' });
    const { ids, bookingId, booked } = await book({});
    await move(ids[0] as string, { ticketId: to.id });
    expect((await bookingOf(bookingId)).total).toEqual({ value: 5500, currencyCode: 'GBP' });
    const again = (participants: object[]) =>
      importRows(api, 'bookings/import', { bookings: [{ ...booked, participants }] }, { method: 'PUT' });
    const given = booked.participants[0] as object;
    expect(errorsOf(await again([given]))).toEqual([[0, 'NOT_CORRECTABLE']]);
    const moved = { ...given, ticketId: to.id, price: { value: 5500, currencyCode: 'GBP' } };
    expect((await again([moved])).results).toMatchObject([{ outcome: 'UNCHANGED' }]);
  });

  it('lets staff move, correct, transfer and cancel by their role, and records who did', async () => {
    const { to, book } = await twoRaces();
    const { ids } = await book({}, {});
    const [id] = ids as [string];
    const { browser: manager } = await signedIn(api, 'MANAGER');
    const moved = await manager.ask('POST', `/v0/participants/${id}/move`, { ticketId: to.id });
    expect([moved.status, moved.body.ticketId]).toEqual([200, to.id]);
    const [record] = await query(
      `SELECT actor_type, details, changes FROM audit_log WHERE object_id = $1 AND action = 'participant.move'`,
      id,
    );
    expect(record).toMatchObject({ actor_type: 'STAFF', details: { to: { ticketId: to.id } } });
    const { raceName, ticketTitle } = moved.body;
    expect(record.changes).toContainEqual({
      field: 'ticket',
      from: expect.stringContaining(': '),
      to: `${raceName}: ${ticketTitle}`,
    });
    expect((await manager.ask('PATCH', `/v0/participants/${id}`, { notes: ['Guide'] })).body.notes).toEqual([
      'Guide',
    ]);
    const wrong = await manager.ask('PATCH', `/v0/participants/${id}`, { waveId: newId() });
    expect(problemOf(wrong)).toEqual([400, 'waveId', 'WAVE_NOT_FOUND']);
    const holder = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
    expect((await manager.ask('POST', `/v0/participants/${id}/transfer`, holder)).status).toBe(200);
    const [{ changes }] = await query(
      `SELECT changes FROM audit_log WHERE object_id = $1 AND action = 'participant.transfer'`,
      id,
    );
    expect(changes).toEqual([
      { field: 'firstName', from: null, to: 'Grace' },
      { field: 'lastName', from: null, to: 'Hopper' },
    ]);
    const made = await booking(api.dataSource, mine({ source: 'WEBSITE' as const, entries: 2 }));
    const theirs = `/v0/participants/${made.entries[0]?.participantId}`;
    expect((await api.send('DELETE', theirs, undefined)).status).toBe(403);
    expect((await manager.ask('DELETE', theirs)).body.status).toBe('CANCELLED');
    const { browser: viewer } = await signedIn(api, 'VIEWER');
    for (const [method, path] of [
      ['POST', '/move'],
      ['PATCH', ''],
      ['DELETE', ''],
    ] as const)
      expect((await viewer.ask(method, `/v0/participants/${id}${path}`, {})).status).toBe(403);
  });
});

describe('at the same time', () => {
  it('a move and an import of the group want its last place, and one gets it', async () => {
    const { from, to } = await twoRaces();
    const { id: partnerId } = await partner(api.dataSource, mine({}));
    const group = await reservedEntryGroup(
      api.dataSource,
      mine({ partnerId, ticketId: from.id, maxCapacity: 50 }),
    );
    await api.dataSource
      .getRepository(ReservedEntryGroupTicket)
      .insert(mine({ reservedEntryGroupId: group.id, ticketId: to.id, maxCapacity: 3 }));
    let n = 0;
    const assign = (slug: string) =>
      importRows(api, 'reserved-entries/participants/import', {
        assignments: [
          {
            ...{
              externalAssignmentId: `${group.id}-${++n}`,
              reservedEntryGroupId: group.id,
              ticketSlug: slug,
            },
            participant: { firstName: 'Grace', lastName: 'Hopper', email: `grace-${n}@example.com` },
          },
        ],
      });
    const held = await Promise.all(Array.from({ length: 5 }, () => assign(from.slug)));
    const ids = held.map((job) => (job.results as any)[0].participantId as string);
    const [moves, imports] = await Promise.all([
      Promise.all(ids.map((id) => move(id, { ticketId: to.id }))),
      Promise.all(Array.from({ length: 5 }, () => assign(to.slug))),
    ]);
    const moved = moves.filter(({ status }) => status === 200).length;
    const assigned = imports.filter((job) => errorsOf(job).length === 0).length;
    expect(moved + assigned).toBe(3);
    for (const each of moves.filter(({ status }) => status !== 200))
      expect(problemOf(each)).toEqual([400, 'ticketId', 'NO_CAPACITY_REMAINING']);
    expect(problemOf(await move(ids[0] as string, { ticketId: (await twoRaces()).from.id }))).toEqual([
      ...[400, 'ticketId', 'TICKET_NOT_FOUND'],
    ]);
    await expectCountersRight(api.dataSource);
  });

  it('moves, cancellations, timing messages and imports leave counters that equal a recount, and totals that equal the items', async () => {
    const { from, to, book } = await twoRaces({}, { maxCapacity: 5 });
    const { ids, bookingId, booked } = await book(
      ...Array.from({ length: 8 }, (_, i) => ({ bibNumber: `${100 + i}` })),
    );
    const tokens = Array.from({ length: 8 }, (_, i) =>
      message({ participantId: ids[i], bibNumber: `${200 + (i % 4)}` }, new Date().toISOString()),
    );
    const participants = booked.participants.map((given: object, i: number) => ({
      ...given,
      bibNumber: `${300 + i}`,
    }));
    const answers = await Promise.all([
      ...ids.map((id) => move(id, { ticketId: to.id })),
      ...ids.slice(0, 3).map((id) => api.send('DELETE', `/v0/participants/${id}`, undefined)),
      ...ids.slice(3).map((id) => move(id, { ticketId: to.id })),
      ...tokens.map((each) => raceDay.send(each)),
      ...ids.slice(5).map((id) => move(id, { ticketId: from.id })),
      importRows(api, 'bookings/import', { bookings: [{ ...booked, participants }] }, { method: 'PUT' }),
    ]);
    expect(
      answers.map((each: any) => each.status).filter((status) => ![200, 400, 'COMPLETED'].includes(status)),
    ).toEqual([]);
    await raceDay.settled();
    const [{ wrong }] = await query(
      `SELECT count(*)::int AS wrong FROM start_list_entries e JOIN tickets t ON t.organization_id = e.organization_id AND t.id = e.ticket_id
       WHERE e.booking_id = $1 AND (e.race_id <> t.race_id OR e.cancelled_at IS NOT NULL AND e.bib_number IS NOT NULL)`,
      bookingId,
    );
    expect(wrong).toBe(0);
    const items = await itemsOf(bookingId);
    const sum = items.reduce((total: number, { value }: any) => total + value, 0);
    expect((await bookingOf(bookingId)).total.value).toBe(sum);
    await expectCountersRight(api.dataSource);
  });
});
