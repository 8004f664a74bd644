import fc from 'fast-check';
import { lockBibs, lockRaceDay, projectParticipants } from '#domain/race-day';
import { ticket } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { RaceDay } from './race-day';
import { reference, type Said, sent } from './reference';

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await sharedApi();
  raceDay = await RaceDay.of(api);
});
afterAll(() => api?.close());

const moment = (minute: number) =>
  new Date(Date.UTC(2026, 4, 4, 0, minute)).toISOString().replace('Z', '000Z');

/** No message has a time at half a minute. */
const cancelledMoment = (minute: number) => moment(minute).replace(':00.', ':30.');

/** The content of a message; 0 to 4 are participants of two races. */
const whatIsSaid = fc.oneof(
  { weight: 4, arbitrary: fc.record({ who: fc.nat(4), bib: fc.option(fc.constantFrom('A', 'B', 'C')) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      who: fc.oneof(fc.nat(4), fc.constantFrom('A', 'B', 'C')),
      shipping: fc.record(
        {
          status: fc.constantFrom('SHIPPED', 'DELIVERED', 'RETURNED'),
          carrier: fc.constantFrom('Post', 'Van'),
          trackingNumber: fc.constantFrom('1', '2', '3'),
          trackingUrl: fc.constantFrom('https://track.example/1', 'https://track.example/2'),
        },
        { requiredKeys: [] },
      ),
    }),
  },
);

/** Messages of distinct minutes, with their order of arrival, duplicates and batches. */
const arrivals = fc.array(whatIsSaid, { minLength: 2, maxLength: 24 }).chain((said) =>
  fc.record({
    said: fc.constant(said),
    minutes: fc.shuffledSubarray(
      Array.from(said, (_, minute) => minute),
      { minLength: said.length },
    ),
    order: fc.shuffledSubarray(
      Array.from(said, (_, index) => index),
      { minLength: said.length },
    ),
    again: fc.subarray(
      Array.from(said, (_, index) => index),
      { maxLength: Math.min(5, said.length) },
    ),
    /** Cancelled participants, with the minute and the batch before which it happens. */
    cancelled: fc.uniqueArray(fc.tuple(fc.nat(4), fc.nat(24), fc.nat(4)), {
      maxLength: 2,
      selector: ([who]) => who,
    }),
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 30, maxLength: 30 }),
  }),
);

let runs = 0;

it('a set of messages in any order, with any duplicates and splits, gives the same result', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ said, minutes, order, again, sizes, cancelled }) => {
      const run = ++runs;
      const { organizationId } = raceDay;
      const [first, second] = [
        await ticket(api.dataSource, { organizationId }),
        await ticket(api.dataSource, { organizationId }),
      ];
      const of = {
        [first.raceId]: await raceDay.participants(3, first.id),
        [second.raceId]: await raceDay.participants(2, second.id),
      };
      const raceOf = new Map(
        Object.entries(of).flatMap(([race, ids]) => ids.map((id) => [id, race] as const)),
      );
      const everyone = [...raceOf.keys()];
      const name = (bib: string | null) => bib && `${run}-${bib}`;

      const messages = said.map((one, index): Said => {
        const changedAt = moment(minutes[index] as number);
        if ('bib' in one) return { participantId: everyone[one.who], bibNumber: name(one.bib), changedAt };
        const shipping = { shippedAt: changedAt, ...one.shipping };
        return typeof one.who === 'string'
          ? { bibNumber: name(one.who), shipping, changedAt }
          : { participantId: everyone[one.who], shipping, changedAt };
      });
      const arriving = [...order, ...again].map((index) => messages[index] as Said);
      const left = [...sizes];
      const cancel = async (batch: number) => {
        for (const [who, minute] of cancelled.filter(([, , before]) => before === batch)) {
          await api.dataSource.transaction(async (manager) => {
            await lockRaceDay(manager, organizationId);
            await lockBibs(manager, organizationId, [raceOf.get(everyone[who] as string) as string]);
            await manager.query('UPDATE start_list_entries SET cancelled_at = $2 WHERE participant_id = $1', [
              everyone[who],
              cancelledMoment(minute),
            ]);
            await projectParticipants(manager, organizationId, [everyone[who] as string]);
          });
        }
      };
      for (let batch = 0; batch < 5 || arriving.length > 0; batch++) {
        await cancel(batch);
        if (arriving.length === 0) continue;
        await raceDay.accepted(arriving.splice(0, left.shift()).map(sent));
        // Sometimes the worker has processed everything so far.
        if ((left[0] ?? 0) > 3) await raceDay.settled();
      }
      await raceDay.settled();
      const shown = new Map(
        await Promise.all(
          everyone.map(async (id) => {
            const { bibNumber, shipping } = await raceDay.shown(id);
            return [id, { bibNumber, shipping }] as const;
          }),
        ),
      );
      const cancelledAt = new Map(
        cancelled.map(([who, minute]) => [everyone[who] as string, cancelledMoment(minute)] as const),
      );
      expect(shown).toEqual(reference(messages, raceOf, cancelledAt));
    }),
    { numRuns: 30 },
  );
});

it('at equal times the message received later wins, with any split', async () => {
  const participantId = await raceDay.participant();
  const changedAt = moment(0);
  const messages = ['X1', 'X2', 'X3', 'X4'].map(
    (bibNumber): Said => ({ participantId, bibNumber, changedAt }),
  );
  await raceDay.accepted(messages.slice(0, 3).map(sent));
  await raceDay.accepted(messages.slice(3).map(sent));
  await raceDay.settled();
  expect((await raceDay.shown(participantId)).bibNumber).toBe('X4');
  await raceDay.accepted(messages.slice(0, 1).map(sent));
  await raceDay.settled();
  expect((await raceDay.shown(participantId)).bibNumber).toBe('X1');
});
