import { lockRaceDay } from '#domain/race-day';
import { addOnAllocation, booking, discountCode, key, lineItem, reservedEntryGroup } from '#libs/testing';
import {
  DiscountCode,
  LineItem,
  newId,
  ReservedEntryGroup,
  ReservedEntryGroupTicket,
  StartListEntry,
} from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const make = (given: Partial<Parameters<typeof booking>[1]> = {}) =>
  booking(api.dataSource, { organizationId: api.organizationId, ...given });
const cancel = (id: string, token?: string) => api.send('DELETE', `/v0/bookings/${id}`, undefined, token);
const read = (id: string) => api.get(`/v0/bookings/${id}`);
const entriesOf = (bookingId: string) =>
  api.dataSource
    .getRepository(StartListEntry)
    .find({ where: { bookingId }, order: { participantIndex: 'ASC' } });
const usageOf = async (id: string) =>
  (await api.dataSource.getRepository(DiscountCode).findOneByOrFail({ id })).usageCount;
const placesOf = async (id: string) => {
  const { usedCapacity } = await api.dataSource.getRepository(ReservedEntryGroup).findOneByOrFail({ id });
  const [ticket] = await api.dataSource
    .getRepository(ReservedEntryGroupTicket)
    .findBy({ reservedEntryGroupId: id });
  expect(ticket?.usedCapacity).toBe(usedCapacity);
  return usedCapacity;
};
const placesOfRace = async (raceId: string) =>
  Number(
    (await api.dataSource.query(`SELECT tally($1, 'racePlaces', $2)`, [api.organizationId, raceId]))[0].tally,
  );

describe('DELETE /v0/bookings/{id}', () => {
  describe('cancels', () => {
    it('a booking with source API, and returns the cancelled booking', async () => {
      const { id, externalBookingId, updatedAt } = await make({ entries: 2 });
      const { status, body } = await cancel(id);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, externalBookingId, source: 'API', status: 'CANCELLED' });
      expect(body.cancelledAt).toMatch(/\.\d{6}Z$/);
      expect(Date.parse(body.updatedAt)).toBeGreaterThanOrEqual(updatedAt.getTime());
      expect((await read(id)).body).toEqual(body);
      expect(body.participantIds).toHaveLength(2);
    });

    it('its entries, which stay approved and record the cancellation', async () => {
      const { id } = await make({
        entries: [
          { statusDetails: [{ status: 'APPROVED', at: '2026-01-01T00:00:00.000000Z', reason: null }] },
          {},
        ],
      });
      const { body } = await cancel(id);
      const entries = await entriesOf(id);
      expect(entries.map(({ approvalStatus }) => approvalStatus)).toEqual(['APPROVED', 'APPROVED']);
      expect(entries.map(({ statusDetails }) => statusDetails.map(({ status }) => status))).toEqual([
        ['APPROVED', 'CANCELLED'],
        ['CANCELLED'],
      ]);
      const [said] = entries[1]?.statusDetails ?? [];
      expect(said).toEqual({ status: 'CANCELLED', at: body.cancelledAt, reason: expect.any(String) });
      expect(
        entries.every(({ cancelledAt }) => cancelledAt?.toISOString().slice(0, 19) === said?.at.slice(0, 19)),
      ).toBe(true);
    });

    it('once: a repeated request succeeds and changes nothing', async () => {
      const { id } = await make();
      const first = await cancel(id);
      const entries = await entriesOf(id);
      const again = await cancel(id);
      expect(again.status).toBe(200);
      expect(again.body).toEqual(first.body);
      expect(await entriesOf(id)).toEqual(entries);
    });
  });

  describe('frees', () => {
    it('the external id, which still lists the booking', async () => {
      const { id, externalBookingId } = await make();
      await expect(make({ externalBookingId })).rejects.toThrow('duplicate key');
      await cancel(id);
      const { id: next } = await make({ externalBookingId });
      const { body } = await api.get(`/v0/bookings/external/${externalBookingId}`);
      expect(body.data).toMatchObject([
        { id, status: 'CANCELLED' },
        { id: next, status: 'CONFIRMED' },
      ]);
    });

    it('the external ids of its line items, allocations and assignments', async () => {
      const { organizationId } = api;
      const externalAssignmentId = 'ASSIGNMENT-1';
      const of = await make({ entries: [{ externalAssignmentId }] });
      const { externalLineItemId } = await lineItem(api.dataSource, { organizationId, bookingId: of.id });
      const { externalAllocationId } = await addOnAllocation(api.dataSource, { of });
      await cancel(of.id);

      const next = await make({ entries: [{ externalAssignmentId }] });
      await lineItem(api.dataSource, { organizationId, bookingId: next.id, externalLineItemId });
      await addOnAllocation(api.dataSource, { of: next, externalAllocationId });
      const { body } = await api.get(`/v0/bookings/${of.id}/line-items`);
      expect(body.data).toMatchObject([{ externalLineItemId }]);
    });

    it('its bibs', async () => {
      const { id, entries } = await make({ entries: [{ bibNumber: '17', bibClaim: '17' }] });
      await cancel(id);
      expect(await entriesOf(id)).toMatchObject([{ bibNumber: null, bibClaim: null }]);
      const ticketId = entries[0]?.ticketId;
      await make({ ticketId, entries: [{ bibNumber: '17', bibClaim: '17' }] });
    });

    it('places of its race', async () => {
      const { id, entries } = await make({ entries: 3 });
      const raceId = entries[0]?.raceId as string;
      expect(await placesOfRace(raceId)).toBe(3);
      await cancel(id);
      expect(await placesOfRace(raceId)).toBe(0);
    });

    it('its use of the discount code', async () => {
      const { id: discountCodeId } = await discountCode(api.dataSource, {
        organizationId: api.organizationId,
      });
      const { id } = await make({ discountCodeId, discountUses: 3, entries: 3 });
      await make({ discountCodeId, discountUses: 1 });
      expect(await usageOf(discountCodeId)).toBe(4);
      await cancel(id);
      await cancel(id);
      expect(await usageOf(discountCodeId)).toBe(1);
    });

    it.each([
      [true, 0],
      [false, 2],
    ])('reserved places if the group has reallocateOnCancel (%s)', async (reallocateOnCancel, left) => {
      const group = await reservedEntryGroup(api.dataSource, {
        organizationId: api.organizationId,
        reallocateOnCancel,
      });
      const place = { reservedEntryGroupId: group.id, holdsReservedPlace: true };
      const { id } = await make({ ticketId: group.ticketId, entries: [place, place] });
      expect(await placesOf(group.id)).toBe(2);
      await cancel(id);
      expect(await placesOf(group.id)).toBe(left);
    });
  });

  describe('rejects', () => {
    it.each(['WEBSITE', 'DASHBOARD'] as const)('a booking whose source is %s', async (source) => {
      const { id } = await make({ source });
      const before = (await read(id)).body;
      const { status, body } = await cancel(id);
      expect(status).toBe(403);
      expect(body.message).toContain('API');
      expect((await read(id)).body).toEqual(before);
    });

    it.each(['malformed', newId(), newId().toUpperCase()])(
      'a booking that does not exist: %s',
      async (id) => {
        expect((await cancel(id)).status).toBe(404);
      },
    );

    it('scoped keys with 403', async () => {
      const { id, eventOccurrenceId } = await make();
      const { token } = await key(api.dataSource, {
        organizationId: api.organizationId,
        eventOccurrenceIds: [eventOccurrenceId],
        endpoints: ['cancelBooking'],
      });
      expect((await cancel(id, token)).status).toBe(403);
      expect((await read(id)).body.status).toBe('CONFIRMED');
    });
  });

  describe('is safe with', () => {
    it('ten concurrent callers: one cancels, and all get the same response', async () => {
      const { id: discountCodeId } = await discountCode(api.dataSource, {
        organizationId: api.organizationId,
      });
      await make({ discountCodeId, discountUses: 1 });
      const { id } = await make({ discountCodeId, discountUses: 1 });
      const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(id)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
      const [entry] = await entriesOf(id);
      expect(entry?.statusDetails).toHaveLength(1);
      expect(await usageOf(discountCodeId)).toBe(1);
    });

    it('concurrent cancellations of many bookings of the same groups and discount code', async () => {
      const { organizationId } = api;
      const { id: discountCodeId } = await discountCode(api.dataSource, { organizationId });
      const first = await reservedEntryGroup(api.dataSource, { organizationId, reallocateOnCancel: true });
      const second = await reservedEntryGroup(api.dataSource, {
        organizationId,
        reallocateOnCancel: true,
        ticketId: first.ticketId,
      });
      const inGroups = [first, second].map(({ id }) => ({
        reservedEntryGroupId: id,
        holdsReservedPlace: true,
      }));
      const made = [];
      for (let i = 0; i < 8; i++) {
        made.push(
          await make({
            ticketId: first.ticketId,
            discountCodeId,
            discountUses: 1,
            entries: i % 2 ? inGroups : [...inGroups].reverse(),
          }),
        );
      }
      const answers = await Promise.all(made.map(({ id }) => cancel(id)));
      expect(answers.map(({ status }) => status)).toEqual(made.map(() => 200));
      expect([await placesOf(first.id), await placesOf(second.id), await usageOf(discountCodeId)]).toEqual([
        0, 0, 0,
      ]);
    });

    it('concurrent readers, which see all of the cancellation or nothing', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await make({ entries: 2 });
        const [, ...reads] = await Promise.all([cancel(id), ...Array.from({ length: 12 }, () => read(id))]);
        for (const { status, body } of reads) {
          expect(status).toBe(200);
          expect(body.cancelledAt !== null).toBe(body.status === 'CANCELLED');
        }
      }
    });

    it('race-day work, which it waits for', async () => {
      const { id } = await make();
      const { first, cancelled } = await api.dataSource.transaction(async (manager) => {
        await lockRaceDay(manager, api.organizationId);
        const cancelled = cancel(id);
        const waits = eventually(async () => {
          const [{ waiting }] = await api.dataSource.query(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event = 'advisory'`,
          );
          return waiting > 0;
        });
        const first = await Promise.race([cancelled.then(() => 'cancelled'), waits.then(() => 'waits')]);
        return { first, cancelled };
      });
      expect(first).toBe('waits');
      expect((await cancelled).body.status).toBe('CANCELLED');
    });

    it('a concurrent writer: what it adds to the booking is freed as well', async () => {
      const { organizationId } = api;
      const { id: bookingId } = await make();
      const writer = api.dataSource.createQueryRunner();
      await writer.startTransaction();
      const row = { organizationId, id: newId(), bookingId, externalLineItemId: `LATE-${bookingId}` };
      await writer.manager.insert(LineItem, {
        ...row,
        itemType: 'TICKET',
        name: 'Late',
        amountValue: '1',
        currencyCode: 'GBP',
      });
      const answer = cancel(bookingId);
      await eventually(async () => {
        const [{ waiting }] = await api.dataSource.query(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting > 0;
      });
      await writer.commitTransaction();
      await writer.release();
      expect((await answer).status).toBe(200);
      const late = await api.dataSource
        .getRepository(LineItem)
        .findOneByOrFail({ organizationId, id: row.id });
      expect(late.releasedAt).not.toBeNull();
    });
  });
});
