import type { INestApplicationContext } from '@nestjs/common';
import { booking, organization, ticket } from '#libs/testing';
import { type Browser, signedIn } from '../console/console';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { at, message, RaceDay, shipping } from './race-day';

let api: TestApi;
let raceDay: RaceDay;
let desk: Browser;
let manager: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_SIGN_IN: '1000' });
  raceDay = await RaceDay.of(api);
  desk = (await signedIn(api, 'RACE_DAY')).browser;
  manager = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(() => api?.close());

/** The two operations by which staff set a bib, with the same rules. */
const OPERATIONS = {
  'PATCH /v0/participants/{id}': (id: string, bibNumber: string | null) =>
    api.send('PATCH', `/v0/participants/${id}`, { bibNumber }),
  'PATCH /console/v1/participants/{id}/race-day': (id: string, bibNumber: string | null) =>
    desk.ask('PATCH', `/console/v1/participants/${id}/race-day`, { bibNumber }),
} satisfies Record<string, (id: string, bibNumber: string | null) => Promise<unknown>>;

/** Participants of one race, in bookings of their own. */
async function rivals(count: number): Promise<string[]> {
  const { id } = await ticket(api.dataSource, { organizationId: api.organizationId });
  const each = await Promise.all(Array.from({ length: count }, () => raceDay.participants(1, id)));
  return each.flat();
}

const bibOf = async (id: string) => (await api.get(`/v0/participants/${id}`)).body.bibNumber;
const refusalOf = (holder: string) => ({
  status: 400,
  body: {
    message: `bibNumber is taken: participant ${holder} of the race has it`,
    problems: [
      { path: 'bibNumber', row: null, externalId: null, code: 'BIB_NUMBER_TAKEN', participantId: holder },
    ],
  },
});
const withWorker = async <T>(work: (worker: INestApplicationContext) => Promise<T>): Promise<T> => {
  const worker = await startWorker(api);
  try {
    return await work(worker);
  } finally {
    await worker.close();
  }
};

describe.each(Object.entries(OPERATIONS))('%s', (_, set) => {
  it('shows a free bib in its response, before a worker runs', async () => {
    const id = await raceDay.participant();
    expect((await set(id, 'F-1')).status).toBe(200);
    expect(await bibOf(id)).toBe('F-1');
    expect((await set(id, null)).status).toBe(200);
    expect(await bibOf(id)).toBeNull();
  });

  it('refuses the bib of another participant of the race: nothing is logged, and the own bib stays', async () => {
    const [holder, other] = (await raceDay.participants(2)) as [string, string];
    await set(holder, 'T-1');
    await set(other, 'T-2');
    const before = await raceDay.logged();
    expect(await set(other, 'T-1')).toMatchObject(refusalOf(holder));
    expect(await raceDay.logged()).toBe(before);
    expect([await bibOf(holder), await bibOf(other)]).toEqual(['T-1', 'T-2']);
    // It never comes later in silence: nothing claims it.
    await set(holder, null);
    await withWorker(() => raceDay.settled());
    expect(await bibOf(other)).toBe('T-2');
    expect((await api.get(`/v0/participants/${other}`)).body.raceDayErrors).toEqual([]);
    expect((await set(other, 'T-1')).status).toBe(200);
  });

  it('counts messages that are logged and not applied yet, and only those of the race', async () => {
    const [first, second, third] = (await rivals(3)) as [string, string, string];
    await raceDay.accepted(message({ participantId: first, bibNumber: 'P-1' }));
    await raceDay.update(second, { bibNumber: 'P-2' });
    await raceDay.accepted(message({ participantId: await raceDay.participant(), bibNumber: 'P-3' }));
    expect(await set(third, 'P-1')).toMatchObject(refusalOf(first));
    expect(await set(third, 'P-2')).toMatchObject(refusalOf(second));
    expect((await set(third, 'P-3')).status).toBe(200);
    // A holder whose logged message gives the bib up holds it no more.
    await raceDay.accepted(message({ participantId: first, bibNumber: null }, '2026-05-04T10:00:00Z'));
    expect((await set(third, 'P-1')).status).toBe(200);
    await withWorker(() => raceDay.settled());
    expect(await raceDay.bibs([first, second, third])).toEqual([null, 'P-2', 'P-1']);
  });

  it('takes a bib away after the logged messages, not before them', async () => {
    const id = await raceDay.participant();
    await raceDay.update(id, { bibNumber: 'N-1' });
    expect((await set(id, null)).status).toBe(200);
    await withWorker(() => raceDay.settled());
    expect(await bibOf(id)).toBeNull();
  });

  it('holds against messages whose time is ahead, until something newer comes', async () => {
    const id = await raceDay.participant();
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await raceDay.accepted(message({ participantId: id, bibNumber: 'A-1' }, ahead));
    expect((await set(id, 'A-2')).status).toBe(200);
    await withWorker(() => raceDay.settled());
    expect(await bibOf(id)).toBe('A-2');
  });

  it('gives a bib that 20 callers want at once to one of them', async () => {
    const ids = await rivals(20);
    await Promise.all(ids.map((id, i) => set(id, `own-${i}`)));
    const before = await raceDay.logged();
    const answers = await withWorker(() => Promise.all(ids.map((id) => set(id, 'ONE'))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refusalOf(ids[winner] as string));
    expect(await raceDay.logged()).toBe(before + 1);
    expect(await raceDay.bibs(ids)).toEqual(ids.map((_, i) => (i === winner ? 'ONE' : `own-${i}`)));
  });

  it('never takes a bib from its holder, for whom nothing changes while somebody else waits for it', async () => {
    const [holder, waiting] = (await raceDay.participants(2)) as [string, string];
    await withWorker(async () => {
      await raceDay.accepted(message({ participantId: holder, bibNumber: 'W-1' }, at(9)));
      await raceDay.accepted(message({ participantId: waiting, bibNumber: 'W-1' }, at(10)));
      await raceDay.settled();
    });
    const before = await raceDay.logged();
    expect((await set(holder, 'W-1')).status).toBe(200);
    expect(await raceDay.logged()).toBe(before);
    expect(await raceDay.bibs([holder, waiting])).toEqual(['W-1', null]);
    expect(await set(waiting, 'W-1')).toMatchObject(refusalOf(holder));
  });

  it('refuses a change of a cancelled participant', async () => {
    const { id: bookingId, entries } = await raceDay.booking(1);
    await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    const before = await raceDay.logged();
    const { status, body } = await set(entries[0]?.participantId as string, 'C-1');
    expect([status, body.message]).toEqual([400, expect.stringContaining('cancelled')]);
    expect(await raceDay.logged()).toBe(before);
  });
});

it('agrees on one holder between operations that check and timing messages, in any order', async () => {
  const ids = await rivals(12);
  await withWorker(async () => {
    const sets = Object.values(OPERATIONS);
    await Promise.all([
      ...ids.map((id, i) => (sets[i % sets.length] as (typeof sets)[0])(id, 'MIX')),
      ...ids.map((participantId) => raceDay.accepted(message({ participantId, shipping: shipping() }))),
      ...ids.map((id) => raceDay.update(id, { customFields: [{ id: 'kit', value: true }] })),
    ]);
    await raceDay.settled();
  });
  const bibs = await raceDay.bibs(ids);
  expect(bibs.filter((bib) => bib === 'MIX')).toHaveLength(1);
});

describe('PATCH /console/v1/participants/{id}/race-day', () => {
  const set = (id: string, body: object, headers: Record<string, string> = {}, browser = desk) =>
    browser.ask('PATCH', `/console/v1/participants/${id}/race-day`, body, headers);

  it('refuses what was queued offline if the bib was given away meanwhile, however early its time is', async () => {
    const [early, late] = (await raceDay.participants(2)) as [string, string];
    const changedAt = new Date(Date.now() - 60_000).toISOString();
    expect((await set(late, { bibNumber: 'Q-1' })).status).toBe(200);
    expect(await set(early, { bibNumber: 'Q-1', changedAt })).toMatchObject(refusalOf(late));
    expect((await set(early, { bibNumber: 'Q-2', changedAt })).body).toMatchObject({ conflicts: [] });
    const older = new Date(Date.parse(changedAt) - 60_000).toISOString();
    expect((await set(early, { bibNumber: 'Q-3', changedAt: older })).body.conflicts).toEqual([
      'BIB_OVERTAKEN',
    ]);
    expect([await bibOf(early), await bibOf(late)]).toEqual(['Q-2', 'Q-1']);
  });

  it('stores neither part of an update whose bib is taken', async () => {
    const [holder, other] = (await raceDay.participants(2)) as [string, string];
    await set(holder, { bibNumber: 'B-1' });
    const both = { bibNumber: 'B-1', customFields: [{ id: 'checkIn', value: true }] };
    expect(await set(other, both)).toMatchObject(refusalOf(holder));
    await withWorker(() => raceDay.settled());
    expect((await raceDay.shown(other)).customFields).toEqual([]);
  });

  it('stores the fields of an update that confirms a contested bib, and answers a repetition alike', async () => {
    const [holder, waiting] = (await raceDay.participants(2)) as [string, string];
    await raceDay.accepted(message({ participantId: holder, bibNumber: 'W-2' }, at(9)));
    await raceDay.accepted(message({ participantId: waiting, bibNumber: 'W-2' }, at(10)));
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { bibNumber: 'W-2', customFields: [{ id: 'checkIn', value: true }] };
    for (let i = 0; i < 2; i++)
      expect(await set(holder, body, headers)).toMatchObject({ status: 200, body: { conflicts: [] } });
    await withWorker(() => raceDay.settled());
    expect(await raceDay.bibs([holder, waiting])).toEqual(['W-2', null]);
    expect((await raceDay.shown(holder)).customFields).toEqual([{ id: 'checkIn', value: true }]);
  });

  it('applies an idempotency key once, and evaluates a refused one again', async () => {
    const [holder, other] = (await raceDay.participants(2)) as [string, string];
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await set(holder, { bibNumber: 'I-1' });
    expect(await set(other, { bibNumber: 'I-1' }, headers)).toMatchObject(refusalOf(holder));
    await set(holder, { bibNumber: null });
    const before = await raceDay.logged();
    for (let i = 0; i < 2; i++)
      expect(await set(other, { bibNumber: 'I-1' }, headers)).toMatchObject({ status: 200 });
    expect(await raceDay.logged()).toBe(before + 1);
  });

  it('refuses fields of a cancelled participant too, and answers 404 to another organization', async () => {
    const { id: bookingId, entries } = await raceDay.booking(1);
    const id = entries[0]?.participantId as string;
    await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    const answer = await set(id, { customFields: [{ id: 'checkIn', value: true }] });
    expect(answer).toMatchObject({
      status: 400,
      body: { problems: [{ code: 'PARTICIPANT_CANCELLED', path: '' }] },
    });
    const other = await organization(api.dataSource);
    const foreign = await booking(api.dataSource, { organizationId: other.id });
    expect((await set(foreign.entries[0]?.participantId as string, { bibNumber: '1' })).status).toBe(404);
  });

  it('says whether stored messages do not show yet', async () => {
    const id = await raceDay.participant();
    const read = async () => (await manager.ask('GET', `/console/v1/participants/${id}`)).body;
    expect(await read()).toMatchObject({ raceDayPending: false, checkIn: null });
    await set(id, { customFields: [{ id: 'checkIn', value: true }] });
    expect(await read()).toMatchObject({ raceDayPending: true, checkIn: null });
    await withWorker(() => eventually(async () => !(await read()).raceDayPending));
    expect(await read()).toMatchObject({ raceDayPending: false, checkIn: true });
  });
});
