import { booking, ticket } from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { eventually, sharedApi, startWorker, type TestApi } from '../harness';
import { at, message, RaceDay, shipping } from './race-day';

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await sharedApi();
  raceDay = await RaceDay.of(api);
});
afterAll(() => api?.close());

const claim = (participantId: string, bibNumber: string | null, hour: number) =>
  message({ participantId, bibNumber }, at(hour));
const apply = async (...messages: object[]) => {
  await raceDay.accepted(messages);
  await raceDay.settled();
};
const three = async () => {
  const [p = '', q = '', r = ''] = await raceDay.participants(3);
  return [p, q, r] as const;
};

describe('a bib has one holder per race', () => {
  it('by the earliest claim, in any order of arrival', async () => {
    const [p, q, r] = await three();
    await apply(claim(p, '1', 12));
    await apply(claim(q, '1', 10));
    await apply(claim(r, '1', 11));
    expect(await raceDay.bibs([p, q, r])).toEqual([null, '1', null]);
    expect((await raceDay.shown(p)).errors).toEqual(['BIB_NUMBER_TAKEN']);
    expect((await raceDay.shown(q)).errors).toEqual([]);
  });

  it('in any spelling, and shows as its holder first wrote it', async () => {
    const [p, q, r] = await three();
    await apply(claim(p, 'ａ７', 12));
    await apply(claim(q, 'A7', 11), claim(r, 'b8', 12));
    expect(await raceDay.bibs([p, q, r])).toEqual([null, 'A7', 'b8']);
    // Written earlier, and received later.
    const { updatedAt } = await raceDay.shown(r);
    await apply(claim(r, 'Ｂ8', 9), claim(q, 'a7', 13));
    expect(await raceDay.bibs([p, q, r])).toEqual(['ａ７', null, 'Ｂ8']);
    expect((await raceDay.shown(r)).updatedAt > updatedAt).toBe(true);
  });

  it('and passes to the next claim when its holder gives it up', async () => {
    const [p, q, r] = await three();
    await apply(claim(p, '1', 9), claim(q, '1', 10), claim(r, '1', 11));
    await apply(claim(p, '2', 12));
    expect(await raceDay.bibs([p, q, r])).toEqual(['2', '1', null]);
    await apply(claim(q, null, 13));
    expect(await raceDay.bibs([p, q, r])).toEqual(['2', null, '1']);
    await raceDay.update(p, { bibNumber: '1' });
    await raceDay.settled();
    expect(await raceDay.bibs([p, q, r])).toEqual([null, null, '1']);
    await raceDay.update(r, { bibNumber: null });
    await raceDay.settled();
    expect(await raceDay.bibs([p, q, r])).toEqual(['1', null, null]);
  });

  it('also when two participants swap in one batch', async () => {
    const [p, q] = await three();
    await apply(claim(p, '1', 9), claim(q, '2', 9));
    await apply(claim(p, '2', 10), claim(q, '1', 10));
    expect(await raceDay.bibs([p, q])).toEqual(['2', '1']);
  });

  it('and passes to the next claim when its holder is cancelled', async () => {
    const { id, entries } = await raceDay.booking(1);
    const [holder] = entries as [StartListEntry];
    const [next = '', last = ''] = await raceDay.participants(2, holder.ticketId);
    await apply(claim(holder.participantId, '1', 9), claim(next, '1', 10), claim(last, '1', 11));
    expect((await api.send('DELETE', `/v0/bookings/${id}`, undefined)).status).toBe(200);
    expect(await raceDay.bibs([holder.participantId, next, last])).toEqual([null, '1', null]);
    expect((await raceDay.shown(holder.participantId)).errors).toEqual([]);
    // Later messages for the cancelled participant claim nothing.
    await apply(claim(holder.participantId, '1', 8), claim(next, '3', 12));
    expect(await raceDay.bibs([holder.participantId, next, last])).toEqual([null, '3', '1']);
  });

  it('while other races use the same number', async () => {
    const p = await raceDay.participant();
    const q = await raceDay.participant();
    await apply(claim(p, '1', 9), claim(q, '1', 10));
    expect(await raceDay.bibs([p, q])).toEqual(['1', '1']);
  });

  it('with concurrent claims', async () => {
    const { organizationId } = api;
    const { id: ticketId } = await ticket(api.dataSource, { organizationId });
    const runners = await raceDay.participants(10, ticketId);
    const others = await Promise.all([startWorker(api), startWorker(api)]);
    await Promise.all([
      ...runners.flatMap((id, hour) => [
        raceDay.accepted(claim(id, 'RACE', hour + 1)),
        raceDay.update(id, { customFields: [{ id: 'x', value: hour }] }),
      ]),
    ]);
    await raceDay.settled();
    expect(await raceDay.bibs(runners)).toEqual(['RACE', ...Array(9).fill(null)]);
    for (const other of others) await other.close();
  });
});

describe('a bib identifies its holder at the time of the message', () => {
  const parcel = (bibNumber: string, hour: number, carrier: string) =>
    message({ bibNumber, shipping: shipping({ carrier }) }, at(hour));
  const carriers = (ids: string[]) =>
    Promise.all(ids.map(async (id) => (await raceDay.shown(id)).shipping?.carrier ?? null));

  it('also if it was passed on since', async () => {
    const [p, q, r] = await three();
    await apply(claim(p, 'AS-OF', 9), claim(q, 'AS-OF', 11), claim(p, 'OTHER', 12));
    await apply(parcel('AS-OF', 10, 'for p'));
    expect(await carriers([p, q, r])).toEqual(['for p', null, null]);
    await apply(parcel('AS-OF', 13, 'for q'));
    expect(await carriers([p, q, r])).toEqual(['for p', 'for q', null]);
  });

  it('also if a late claim gives the bib to another participant', async () => {
    const [p, q] = await three();
    await apply(claim(p, 'LATE', 9), parcel('LATE', 11, 'parcel'));
    expect(await carriers([p, q])).toEqual(['parcel', null]);
    await apply(claim(q, 'LATE', 8));
    expect(await carriers([p, q])).toEqual([null, 'parcel']);
  });

  it('the first holder after it, if the bib had no holder then', async () => {
    const [p, q] = await three();
    await apply(parcel('EARLY', 8, 'before any claim'));
    await apply(claim(p, 'EARLY', 10), claim(q, 'EARLY', 11));
    expect(await carriers([p, q])).toEqual(['before any claim', null]);
    expect((await raceDay.accepted(parcel('EARLY', 9, 'again'))).unidentified).toEqual([]);
    await raceDay.settled();
    expect(await carriers([p, q])).toEqual(['again', null]);
  });

  it('the holder at that time, with periods without a holder before and after', async () => {
    const [p, q] = await three();
    await apply(claim(p, 'GAPS', 9), claim(p, null, 10), claim(q, 'GAPS', 12), claim(q, null, 13));
    await apply(parcel('GAPS', 8, 'before'));
    expect(await carriers([p, q])).toEqual(['before', null]);
    await apply(parcel('GAPS', 11, 'between'));
    expect(await carriers([p, q])).toEqual(['before', 'between']);
    expect((await raceDay.accepted(parcel('GAPS', 14, 'after'))).unidentified).toEqual([]);
    await raceDay.settled();
    expect(await carriers([p, q])).toEqual(['before', 'after']);
  });

  it('the last holder before it, if nobody held the bib then or later, until a late claim', async () => {
    const [p, q] = await three();
    await apply(claim(p, 'REPLACED', 8), claim(p, 'NEW', 9));
    expect((await raceDay.accepted(parcel('REPLACED', 14, 'after'))).unidentified).toEqual([]);
    await raceDay.settled();
    expect(await carriers([p, q])).toEqual(['after', null]);
    await apply(claim(q, 'REPLACED', 10), claim(q, null, 11));
    expect(await carriers([p, q])).toEqual([null, 'after']);
    await apply(claim(p, 'REPLACED', 15));
    expect(await carriers([p, q])).toEqual(['after', null]);
  });

  it('nobody, if participants of two races held the bib before', async () => {
    const [p, q] = [await raceDay.participant(), await raceDay.participant()];
    await apply(claim(p, 'BOTH', 8), claim(p, null, 9), claim(q, 'BOTH', 10), claim(q, null, 11));
    expect((await raceDay.accepted(parcel('BOTH', 14, 'after'))).unidentified).toEqual([0]);
  });

  it('the holder at that time, before later holders in other races', async () => {
    const p = await raceDay.participant();
    const q = await raceDay.participant();
    await apply(claim(p, 'RACES', 9), claim(q, 'RACES', 11));
    await apply(parcel('RACES', 10, 'for p'));
    expect(await carriers([p, q])).toEqual(['for p', null]);
    for (const hour of [8, 12]) {
      expect((await raceDay.accepted(parcel('RACES', hour, 'for whom?'))).unidentified).toEqual([0]);
    }
    await raceDay.settled();
    expect(await carriers([p, q])).toEqual(['for p', null]);
  });

  it('the later claim', async () => {
    const [p, q] = await three();
    await apply(claim(p, 'KEEPS', 9), parcel('KEEPS', 10, 'for p'));
    await apply(claim(p, 'OTHER-2', 12), claim(q, 'KEEPS', 11));
    expect(await carriers([p, q])).toEqual(['for p', null]);
  });

  it('also a participant who was cancelled later', async () => {
    const { id, entries } = await raceDay.booking(1);
    const [holder] = entries as [StartListEntry];
    const [next = ''] = await raceDay.participants(1, holder.ticketId);
    await apply(claim(holder.participantId, 'LEFT', 9), claim(next, 'LEFT', 10));
    expect((await api.send('DELETE', `/v0/bookings/${id}`, undefined)).status).toBe(200);
    await raceDay.settled();
    await apply(parcel('LEFT', 11, 'then'));
    const now = message(
      { bibNumber: 'LEFT', shipping: shipping({ carrier: 'now' }) },
      new Date().toISOString(),
    );
    await apply(now);
    expect(await carriers([holder.participantId, next])).toEqual(['then', 'now']);
  });
});

describe('messages without a known participant wait', () => {
  it('and apply when the participant is created', async () => {
    const participantId = newId();
    await apply(claim(participantId, 'WAIT-1', 9));
    const { entries } = await booking(api.dataSource, {
      organizationId: api.organizationId,
      entries: [{ participantId }],
    });
    expect(entries).toHaveLength(1);
    await eventually(async () => (await raceDay.shown(participantId)).bibNumber === 'WAIT-1');
  });

  it('and apply when the participant is approved', async () => {
    const { entries } = await booking(api.dataSource, {
      organizationId: api.organizationId,
      entries: [{ approvalStatus: 'PENDING' }],
    });
    const [{ id, participantId }] = entries as [StartListEntry];
    expect((await raceDay.accepted(claim(participantId, 'WAIT-2', 9))).unidentified).toEqual([0]);
    await raceDay.settled();
    await api.dataSource.getRepository(StartListEntry).update({ id }, { approvalStatus: 'APPROVED' });
    await eventually(async () => (await raceDay.shown(participantId)).bibNumber === 'WAIT-2');
  });

  it('and apply when a late claim shows that a participant had the bib at that time', async () => {
    const p = await raceDay.participant();
    const parcel = message({ bibNumber: 'WAIT-3', shipping: shipping() }, at(10));
    expect((await raceDay.accepted(parcel)).unidentified).toEqual([0]);
    await raceDay.settled();
    await apply(claim(p, 'WAIT-3', 9));
    expect((await raceDay.shown(p)).shipping).toMatchObject({ status: 'SHIPPED' });
  });

  it('for UNIDENTIFIED_DAYS, and are then deleted', async () => {
    const participantId = newId();
    const named = (changed = '') =>
      api.dataSource.query(`SELECT 1 FROM race_day_log WHERE participant_id = $1 ${changed}`, [
        participantId,
      ]);
    await apply(claim(participantId, 'WAIT-4', 9));
    const age = (days: number) =>
      api.dataSource.query(
        'UPDATE race_day_log SET applied_at = now() - make_interval(days => $2) WHERE participant_id = $1',
        [participantId, days],
      );
    await age(29);
    await eventually(async () => (await named()).length === 1);
    await age(31);
    await eventually(async () => (await named()).length === 0);
  });
});
