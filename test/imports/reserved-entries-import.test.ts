import type { INestApplicationContext } from '@nestjs/common';
import {
  bookingForm,
  bookingFormField,
  key,
  organization,
  partner,
  reservedEntryGroup,
  ticket,
} from '#libs/testing';
import { newId, ReservedEntryGroup, ReservedEntryGroupTicket } from '#platform/database';
import { expectCountersRight } from '../faults/recount';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { errorsOf, importRows } from './import';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const PATH = 'reserved-entries/participants/import';
let serial = 0;
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const post = (assignments: object[]) => importRows(api, PATH, { assignments });
const person = (given: object = {}) => ({
  firstName: 'Grace',
  lastName: 'Hopper',
  email: `grace-${++serial}@navy.example`,
  ...given,
});

/** A group with places on one ticket, and rows that assign them. */
async function charity(given: object = {}, ofTicket: object = {}) {
  const sold = await ticket(api.dataSource, mine(ofTicket));
  const group = await reservedEntryGroup(api.dataSource, mine({ ticketId: sold.id, ...given }));
  const row = (more: object = {}) => ({
    externalAssignmentId: `place-${++serial}`,
    reservedEntryGroupId: group.id,
    ticketSlug: sold.slug,
    participant: person(),
    ...more,
  });
  const limitTicket = (limits: object, ticketId = sold.id) =>
    api.dataSource
      .getRepository(ReservedEntryGroupTicket)
      .update({ organizationId: api.organizationId, reservedEntryGroupId: group.id, ticketId }, limits);
  const used = async () => {
    const path = `/v0/event-occurrences/${sold.eventOccurrenceId}/reserved-entries`;
    return (await api.get(path)).body.data.find(({ id }: any) => id === group.id).usedCapacity;
  };
  return { group, ticket: sold, row, limitTicket, used };
}

describe('POST /v0/reserved-entries/participants/import', () => {
  it('gives an email address one place of a SINGLE_USE group, also in two concurrent jobs', async () => {
    const { row, used } = await charity({ type: 'SINGLE_USE', reallocateOnCancel: true });
    const of = (email: string) => row({ participant: person({ email }) });
    const jobs = await Promise.all([
      post([of('ada@navy.example'), of('bea@navy.example'), of(' ADA@navy.example ')]),
      post([of('ada@navy.example')]),
    ]);
    const errors = jobs.flatMap((job) => errorsOf(job).map(([, code]) => code));
    expect(errors).toEqual(['ALREADY_USED', 'ALREADY_USED']);
    expect(await used()).toBe(2);
    const place = (await api.get('/v0/participants?email=ada@navy.example')).body.data[0];
    await api.send('DELETE', `/v0/bookings/${place.bookingId}`, undefined);
    expect(errorsOf(await post([of('ada@navy.example')]))).toEqual([]);
    const many = await charity({ type: 'MULTI_USE' });
    const again = () => many.row({ participant: person({ email: 'ada@navy.example' }) });
    expect(errorsOf(await post([again(), again()]))).toEqual([]);
  });

  it('creates a booking with one entry for each row, which all operations return', async () => {
    const { group, ticket: sold, row, used } = await charity();
    const shirt = await bookingFormField(api.dataSource, mine({ key: 'shirt', label: 'Shirt' }));
    await bookingForm(api.dataSource, mine({ fieldIds: [shirt.id], ticketIds: [sold.id] }));
    const email = 'Grace@Navy.example';
    const participant = person({ email, gender: 'FEMALE', fields: [{ id: shirt.id, value: 'M' }] });
    const one = row({ participant });
    const job = await post([one, row()]);
    expect(job).toMatchObject({ surface: 'reservedEntriesImport', succeededRows: 2 });
    const [result] = job.results;
    expect(result).toEqual({
      row: 0,
      outcome: 'IMPORTED',
      alreadyImported: false,
      externalAssignmentId: one.externalAssignmentId,
      bookingId: expect.any(String),
      participantId: expect.any(String),
    });
    expect((await api.get(`/v0/bookings/${result.bookingId}`)).body).toMatchObject({
      source: 'API',
      status: 'CONFIRMED',
      bookerType: 'PARTNER',
      partnerId: group.partnerId,
      booker: { firstName: 'Grace', email },
      total: { value: 4500, currencyCode: 'GBP' },
      participantIds: [result.participantId],
    });
    expect((await api.get(`/v0/bookings/${result.bookingId}/line-items`)).body.data).toMatchObject([
      { itemType: 'TICKET', itemId: sold.id, amount: { value: 4500 } },
    ]);
    const entry = (await api.get(`/v0/participants/${result.participantId}?extendMetadata=true`)).body;
    expect(entry).toMatchObject({
      reservedEntryGroupCode: group.code,
      reservedEntryGroupName: group.name,
      incrementalStatus: 'INCREMENTAL',
      bookingSource: 'EXTERNAL',
      metadata: { startline: { importJobId: job.jobId, importRow: 0 } },
    });
    expect(entry.bookingCodesUsed.reservedEntryCodes).toEqual([group.code]);
    expect(entry.fields).toContainEqual(expect.objectContaining({ id: shirt.id, value: 'M' }));
    const check = `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`;
    expect((await api.send('POST', check, { email: 'grace@navy.EXAMPLE' })).body.registered).toBe(true);
    expect(await used()).toBe(2);
  });

  it('creates incremental entries, which corrections keep so, also in a group without a partner', async () => {
    const { group, row } = await charity();
    await api.dataSource.getRepository(ReservedEntryGroup).update({ id: group.id }, { partnerId: null });
    const [{ participantId }] = (await post([row()])).results;
    const path = `/v0/participants/${participantId}`;
    const statusOf = ({ body }: any) => [body.tags, body.incrementalStatus];
    expect(statusOf(await api.get(path))).toEqual([[], 'INCREMENTAL']);
    expect(statusOf(await api.send('PATCH', path, { tags: ['x'] }))).toEqual([['x'], 'INCREMENTAL']);
  });

  it('creates bookings that a partner who gets the group finds by polling', async () => {
    const { group, row } = await charity();
    const [{ bookingId }] = (await post([row()])).results;
    const { id: partnerId } = await partner(api.dataSource, mine({}));
    const { token } = await key(api.dataSource, mine({ partnerId }));
    const { updatedAt } = (await api.get(`/v0/bookings/${bookingId}`)).body;
    await api.dataSource.getRepository(ReservedEntryGroup).update({ id: group.id }, { partnerId });
    await eventually(async () => {
      const { body } = await api.get(`/v0/bookings?updatedAt[after]=${updatedAt}`, token);
      return body.data.some(({ id }: { id: string }) => id === bookingId);
    });
  });

  it('reports a row whose id exists, and takes no further place', async () => {
    const { row, used } = await charity({ maxCapacity: 1 });
    const one = row();
    const [first] = (await post([one])).results;
    const job = await post([one]);
    expect(job.results).toEqual([{ ...first, outcome: 'ALREADY_IMPORTED', alreadyImported: true }]);
    expect(await used()).toBe(1);
  });

  it('takes each place once if the same batch is posted twice concurrently', async () => {
    const { row, used } = await charity({ maxCapacity: 60 });
    const rows = Array.from({ length: 60 }, () => row());
    const jobs = await Promise.all([post(rows), post(rows)]);
    const sum = (count: 'succeededRows' | 'alreadyImportedRows') =>
      jobs.reduce((total, job) => total + job[count], 0);
    expect([sum('succeededRows'), sum('alreadyImportedRows'), await used()]).toEqual([60, 60, 60]);
  });

  it('charges the price of the ticket of the group', async () => {
    const { row, limitTicket } = await charity();
    const costs = async () => {
      const [{ bookingId }] = (await post([row()])).results;
      return (await api.get(`/v0/bookings/${bookingId}`)).body.total;
    };
    await limitTicket({ discount: { type: 'PERCENTAGE', amount: 33, isAppliedToBookingFee: false } });
    expect(await costs()).toEqual({ value: 3015, currencyCode: 'GBP' });
    await limitTicket({ discount: { type: 'FLAT_RATE', price: { value: 500, currencyCode: 'GBP' } } });
    expect(await costs()).toEqual({ value: 4000, currencyCode: 'GBP' });
  });

  describe('fails only the invalid row', () => {
    it('with INVALID_ASSIGNMENT if an identifier is blank or unknown', async () => {
      const { row } = await charity();
      const elsewhere = await charity();
      const { id: strangers } = await organization(api.dataSource);
      const foreign = await reservedEntryGroup(api.dataSource, { organizationId: strangers });
      const spoilt = [
        row({ externalAssignmentId: '' }),
        row({ externalAssignmentId: '  ' }),
        row({ reservedEntryGroupId: ' ' }),
        row({ ticketSlug: '' }),
        row({ reservedEntryGroupId: newId() }),
        row({ reservedEntryGroupId: 'not an id' }),
        row({ reservedEntryGroupId: foreign.id }),
        row({ ticketSlug: 'nothing-like-it' }),
        row({ ticketSlug: elsewhere.ticket.slug }),
      ];
      const job = await post([...spoilt, row()]);
      expect(errorsOf(job)).toEqual(spoilt.map((_, i) => [i, 'INVALID_ASSIGNMENT']));
      expect(job.errors[0].message).toBe('externalAssignmentId must not be blank');
      expect(job.succeededRows).toBe(1);
    });

    it('of another domain, and of an unknown field', async () => {
      const { row } = await charity({ domainRestriction: '@Navy.Example' });
      const participant = (email: string) => ({ participant: person({ email }) });
      const job = await post([
        row(participant('a@navy.example')),
        row(participant('b@NAVY.example')),
        row(participant('c@army.example')),
        row(participant('d@old.navy.example')),
        row(participant('e@oldnavy.example')),
        row({ participant: person({ fields: [{ id: newId(), value: 1 }] }) }),
      ]);
      expect(errorsOf(job)).toEqual([
        [2, 'DOMAIN_NOT_ALLOWED'],
        [3, 'DOMAIN_NOT_ALLOWED'],
        [4, 'DOMAIN_NOT_ALLOWED'],
        [5, 'FIELD_NOT_FOUND'],
      ]);
    });
  });

  describe('enforces capacity', () => {
    it('of the group, in row order, and a failed row takes no place', async () => {
      const { row, used, group } = await charity({ maxCapacity: 2 });
      const job = await post([row({ ticketSlug: 'x' }), row(), row(), row()]);
      expect(errorsOf(job)).toEqual([
        [0, 'INVALID_ASSIGNMENT'],
        [3, 'NO_CAPACITY_REMAINING'],
      ]);
      expect(await used()).toBe(2);
      await api.dataSource.query('UPDATE reserved_entry_groups SET max_capacity = 3 WHERE id = $1', [
        group.id,
      ]);
      expect((await post([row(), row()])).succeededRows).toBe(1);
    });

    it('of each of its tickets', async () => {
      const { row, limitTicket, group, ticket: sold, used } = await charity();
      const second = await ticket(api.dataSource, mine({ raceId: sold.raceId }));
      await api.dataSource
        .getRepository(ReservedEntryGroupTicket)
        .insert(mine({ reservedEntryGroupId: group.id, ticketId: second.id }));
      await limitTicket({ maxCapacity: 1 });
      const ofSecond = { ticketSlug: second.slug };
      const job = await post([row(), row(), row(ofSecond), row(ofSecond)]);
      expect(errorsOf(job)).toEqual([[1, 'NO_CAPACITY_REMAINING']]);
      expect(await used()).toBe(3);
    });

    it.each([
      ['IGNORE_CAPACITY', 0],
      ['RESERVE_CAPACITY', 2],
    ] as const)('of the ticket and race according to %s', async (reserveCapacity, counted) => {
      const { row, ticket: sold, used } = await charity({ reserveCapacity }, { maxCapacity: 1 });
      // Imports can exceed the ticket's capacity of one, and count against it or not.
      expect((await post([row(), row()])).succeededRows).toBe(2);
      expect((await api.get(`/v0/tickets/${sold.id}`)).body).toMatchObject({
        usedCapacity: counted,
        availability: counted ? 'SOLD_OUT' : 'AVAILABLE',
      });
      expect((await api.get(`/v0/races/${sold.raceId}`)).body.usedCapacity).toBe(counted);
      expect(await used()).toBe(2);
    });

    it('of the ticket and race by the setting that the group has now, also for places from before', async () => {
      const slug = `setting-${++serial}`;
      const set = async (reserveCapacity: string) => {
        const price = { value: 2500, currencyCode: 'GBP' };
        const occurrence = {
          ...{ record: 'occurrence', event: slug, slug, title: 'Run', startDate: '2030-05-04' },
          ...{ timeZone: 'Europe/London' },
          races: [{ title: '10K', tickets: [{ ticketSlug: slug, title: 'Adult', price }] }],
          reservedEntryGroups: [
            {
              ...{ code: slug, name: 'Navy', maxCapacity: 5, settings: { reserveCapacity } },
              tickets: [{ ticketSlug: slug }],
            },
          ],
        };
        const records = [{ record: 'event', slug, title: 'Run' }, occurrence];
        return (await api.send('PUT', '/v0/catalogue', { records })).body.records[1].id;
      };
      const groups = `/v0/event-occurrences/${await set('RESERVE_CAPACITY')}/reserved-entries`;
      const [{ id }] = (await api.get(groups)).body.data;
      const row = () => ({
        ...{ externalAssignmentId: `place-${++serial}`, reservedEntryGroupId: id },
        ...{ ticketSlug: slug, participant: person() },
      });
      const [kept, gone] = (await post([row(), row()])).results as any;
      await api.send('DELETE', `/v0/bookings/${gone.bookingId}`, undefined);
      const read = async (path: string) => (await api.get(`/v0/${path}`)).body;
      const before = await read(`participants/${kept.participantId}`);
      for (const [setting, count] of [
        ['IGNORE_CAPACITY', 0],
        ['RESERVE_CAPACITY', 1],
      ] as const) {
        await set(setting);
        for (const path of [`tickets/${before.ticketId}`, `races/${before.raceId}`])
          expect([setting, path, (await read(path)).usedCapacity]).toEqual([setting, path, count]);
        await expectCountersRight(api.dataSource);
      }
      expect(await read(`participants/${kept.participantId}`)).toEqual(before);
    });

    it.each([true, false])('after a cancellation, with reallocateOnCancel %s', async (reallocateOnCancel) => {
      const { row, used } = await charity({ maxCapacity: 1, reallocateOnCancel });
      const one = row();
      const [{ bookingId }] = (await post([one])).results;
      await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
      expect(await used()).toBe(reallocateOnCancel ? 0 : 1);
      // Its id is free again in both cases.
      const [again] = (await post([one])).results;
      if (reallocateOnCancel) expect(again).toMatchObject({ outcome: 'IMPORTED' });
      else expect(again.error.code).toBe('NO_CAPACITY_REMAINING');
    });

    it('for the last place, with eight concurrent jobs and eight workers', async () => {
      const { row, used, limitTicket } = await charity({ maxCapacity: 5 });
      await limitTicket({ maxCapacity: 4 });
      const more = await Promise.all([1, 2].map(() => startWorker(api, { WORKER_CONCURRENCY: '4' })));
      try {
        const jobs = await Promise.all(Array.from({ length: 8 }, () => post([row(), row()])));
        expect(jobs.reduce((sum, { succeededRows }) => sum + succeededRows, 0)).toBe(4);
        const codes = new Set(jobs.flatMap(errorsOf).map(([, code]) => code));
        expect([...codes]).toEqual(['NO_CAPACITY_REMAINING']);
        expect(await used()).toBe(4);
      } finally {
        await Promise.all(more.map((each) => each.close()));
      }
    });
  });

  it('rejects a malformed batch, naming row and field', async () => {
    const { row } = await charity();
    const one = row();
    const wrong: [object[], string][] = [
      [[one, one], 'assignments[1].externalAssignmentId is the same as in assignments[0]'],
      [[row({ participant: person({ email: 'x' }) })], 'assignments[0].participant.email must be an email'],
      [[row({ participant: undefined })], 'assignments[0].participant is missing'],
      [[row({ ticketSlug: undefined })], 'assignments[0].ticketSlug is missing'],
      [[row({ reservedEntryGroupId: null })], 'assignments[0].reservedEntryGroupId must be a string'],
    ];
    for (const [assignments, message] of wrong) {
      const { status, body } = await api.send('POST', `/v0/${PATH}`, { assignments });
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});
