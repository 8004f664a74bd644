import { race, ticket, wave } from '#libs/testing';
import { newId } from '#platform/database';
import { expectCountersRight } from '../faults/recount';
import { eventually, sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows, sale } from '../imports/import';
import { type Browser, signedIn } from './console';

const V1 = '/console/v1/participants';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await sharedApi();
  browser = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const read = async (id: string) => (await api.get(`/v0/participants/${id}`)).body as any;
const query = (sql: string, ...values: unknown[]) => api.dataSource.query(sql, values);

/** The participants of a booking, each in a booking of its own unless `together`. */
async function booked(count: number, given: object = {}, together = false) {
  const { row, participant, ticket: sold } = await sale(api, given);
  const people = Array.from({ length: count }, () => participant());
  const bookings = together
    ? [row({ participants: people })]
    : people.map((one) => row({ participants: [one] }));
  const job = await importRows(api, 'bookings/import', { bookings });
  expect(errorsOf(job)).toEqual([]);
  return { ids: (job.results as any[]).flatMap(({ participantIds }) => participantIds as string[]), sold };
}

const ended = (jobId: string) =>
  eventually(async () => {
    const { body } = await browser.ask('GET', `/console/v1/import-jobs/${jobId}`);
    return ['COMPLETED', 'FAILED'].includes(body.status) && (body as any);
  });

async function changed(body: object) {
  const { status, body: job } = await browser.ask('POST', `${V1}/changes`, body);
  expect([status, (job as any).message]).toEqual([200, undefined]);
  return ended((job as any).jobId);
}

async function undone(jobId: string) {
  const { status, body: job } = await browser.ask('POST', `/v0/import-jobs/${jobId}/undo`, {});
  expect([status, (job as any).message]).toEqual([200, undefined]);
  return ended((job as any).jobId);
}

const outcomesOf = async (jobId: string) => {
  const { body } = await browser.ask('GET', `/console/v1/import-jobs/${jobId}/rows`);
  return (body as any).data.map((row: any) => row.error?.code ?? row.outcome);
};

describe('a change of several participants', () => {
  it('tags all that match, and its undo takes the tag from those who got it', async () => {
    const { ids, sold } = await booked(3);
    await api.send('PATCH', `/v0/participants/${ids[1]}`, { tags: ['club', 'old'] });
    const { eventOccurrenceId } = sold;
    const job = await changed({
      ...{ change: { type: 'TAG', tag: 'club' }, matching: { eventOccurrenceId }, atMost: 3 },
    });
    expect([job.succeededRows, job.alreadyImportedRows, job.failedRows, job.change]).toEqual([
      ...[2, 1, 0, { type: 'TAG', tag: 'club' }],
    ]);
    const tags = async () => Promise.all(ids.map(async (id) => (await read(id)).tags));
    expect(await tags()).toEqual([['club'], ['club', 'old'], ['club']]);
    const undo = await undone(job.jobId);
    expect([undo.succeededRows, undo.undoes]).toEqual([2, job.jobId]);
    expect(await tags()).toEqual([[], ['club', 'old'], []]);
    const untagged = await changed({ change: { type: 'UNTAG', tag: 'old' }, participantIds: ids });
    expect([untagged.succeededRows, untagged.alreadyImportedRows]).toEqual([1, 2]);
    await expectCountersRight(api.dataSource);
  });

  it('gives a wave as long as it has places, and its undo gives the former ones back where they are unchanged', async () => {
    const { ids, sold } = await booked(4);
    const [early, late] = [
      await wave(api.dataSource, mine({ raceId: sold.raceId, capacity: 2 })),
      await wave(api.dataSource, mine({ raceId: sold.raceId })),
    ];
    const { ids: others } = await booked(1);
    await api.send('PATCH', `/v0/participants/${ids[0]}`, { waveId: late.id });
    const job = await changed({
      ...{ change: { type: 'WAVE', waveId: early.id }, participantIds: [...ids.slice(0, 3), ...others] },
    });
    expect((await outcomesOf(job.jobId)).sort()).toEqual([
      ...['NO_CAPACITY_REMAINING', 'UPDATED', 'UPDATED', 'WAVE_NOT_FOUND'],
    ]);
    const waves = async () => Promise.all(ids.map(async (id) => (await read(id)).waves[0]?.id));
    expect(await waves()).toEqual([early.id, early.id, undefined, undefined]);
    await api.send('PATCH', `/v0/participants/${ids[1]}`, { waveId: late.id });
    const undo = await undone(job.jobId);
    expect(await outcomesOf(undo.jobId)).toEqual(['UPDATED', 'CHANGED_SINCE_IMPORT']);
    expect(await waves()).toEqual([late.id, late.id, undefined, undefined]);
  });

  it('cancels one of a booking, and bookings of which all are selected, and can’t be undone', async () => {
    const { ids } = await booked(3, { unitSize: 2 }, true);
    const { ids: whole } = await booked(2, {}, true);
    const job = await changed({ change: { type: 'CANCEL' }, participantIds: [ids[0], ...whole] });
    expect(await outcomesOf(job.jobId)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
    const states = await query(
      `SELECT b.status, count(*) FILTER (WHERE e.cancelled_at IS NOT NULL)::int AS cancelled FROM bookings b
       JOIN start_list_entries e ON e.organization_id = b.organization_id AND e.booking_id = b.id
       WHERE e.participant_id = ANY ($1) GROUP BY b.id, b.status ORDER BY 1`,
      [...ids, ...whole],
    );
    expect(states).toEqual([
      { status: 'CANCELLED', cancelled: 2 },
      { status: 'CONFIRMED', cancelled: 1 },
    ]);
    const again = await changed({ change: { type: 'CANCEL' }, participantIds: [ids[0]] });
    expect(await outcomesOf(again.jobId)).toEqual(['UNCHANGED']);
    const tagged = await changed({ change: { type: 'TAG', tag: 'x' }, participantIds: [ids[0], ids[1]] });
    expect((await outcomesOf(tagged.jobId)).sort()).toEqual(['NOT_CORRECTABLE', 'UPDATED']);
    const refused = await browser.ask('POST', `/v0/import-jobs/${job.jobId}/undo`, {});
    expect([refused.status, (refused.body as any).message]).toEqual([
      ...[400, expect.stringContaining('can’t be undone')],
    ]);
    expect((await browser.ask('GET', `/v0/import-jobs/${job.jobId}/undo`)).status).toBe(400);
    await expectCountersRight(api.dataSource);
  });

  it('shows in the history of each participant that it changed, with who started it', async () => {
    const { ids, sold } = await booked(3);
    const [tagged = '', cancelledOne = '', other = ''] = ids;
    const { id: waveId } = await wave(api.dataSource, mine({ raceId: sold.raceId, title: 'Red' }));
    const history = async (id: string) =>
      ((await browser.ask('GET', `/console/v1/history?subjectId=${id}`)).body as any).data
        .filter(({ details }: any) => details.jobId)
        .map(({ action, actorType, actorName, changes, details }: any) => {
          expect([actorType, actorName]).toEqual(['STAFF', expect.stringContaining('@')]);
          return [action, details.jobId, changes];
        });
    const tag = await changed({ change: { type: 'TAG', tag: 'club' }, participantIds: [tagged] });
    const moved = await changed({ change: { type: 'WAVE', waveId }, participantIds: [tagged] });
    const undo = await undone(moved.jobId);
    const cancel = await changed({ change: { type: 'CANCEL' }, participantIds: [cancelledOne] });
    expect(await history(tagged)).toEqual([
      ['participant.update', undo.jobId, [{ field: 'wave', from: 'Red', to: null }]],
      ['participant.update', moved.jobId, [{ field: 'wave', from: null, to: 'Red' }]],
      ['participant.update', tag.jobId, [{ field: 'tags', from: '[]', to: '["club"]' }]],
    ]);
    expect(await history(cancelledOne)).toEqual([['participant.cancel', cancel.jobId, null]]);
    expect(await history(other)).toEqual([]);
    // A change that changes nothing is not recorded.
    await changed({ change: { type: 'TAG', tag: 'club' }, participantIds: [tagged] });
    expect(await history(tagged)).toHaveLength(3);
  });

  it('refuses more than were confirmed, nobody, and contradictions', async () => {
    const { ids, sold } = await booked(2);
    const matching = { eventOccurrenceId: sold.eventOccurrenceId };
    const tag = { type: 'TAG', tag: 'x' };
    for (const [body, message] of [
      [{ change: tag, matching, atMost: 1 }, 'More participants match'],
      [{ change: tag, participantIds: ids, atMost: 1 }, 'More participants match'],
      [{ change: tag, participantIds: [newId()] }, 'No participant'],
      [{ change: tag, participantIds: [...ids, newId()] }, 'Some of the participants'],
      [{ change: tag }, 'participantIds or matching'],
      [{ change: tag, participantIds: ids, matching }, 'participantIds or matching'],
      [{ change: { type: 'TAG' }, matching }, 'change.tag is required'],
      [{ change: { type: 'WAVE' }, matching }, 'change.waveId is required'],
    ] as const) {
      const { status, body: answered } = await browser.ask('POST', `${V1}/changes`, body);
      expect([status, (answered as any).message]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await browser.ask('POST', `/v0/import-jobs/${newId()}/undo`, {})).status).toBe(404);
    expect((await read(ids[0] as string)).tags).toEqual([]);
  });

  it('loses no change of tags when two jobs, a correction and a cancellation run at the same time', async () => {
    const { ids } = await booked(6, {}, true);
    const [one, two] = await Promise.all([
      changed({ change: { type: 'TAG', tag: 'one' }, participantIds: ids }),
      changed({ change: { type: 'TAG', tag: 'two' }, participantIds: ids }),
      ...ids.slice(4).map((id) => api.send('DELETE', `/v0/participants/${id}`, undefined)),
      changed({ change: { type: 'CANCEL' }, participantIds: ids.slice(3) }),
    ]);
    expect([one.status, two.status]).toEqual(['COMPLETED', 'COMPLETED']);
    for (const id of ids.slice(0, 3)) expect((await read(id)).tags.sort()).toEqual(['one', 'two']);
    await expectCountersRight(api.dataSource);
  });
});

describe('a participant who is added by hand', () => {
  const add = (body: object) => browser.ask('POST', V1, body);
  const request = (sold: { id: string; eventOccurrenceId: string }, more: object = {}) => ({
    ...{ requestId: crypto.randomUUID(), eventOccurrenceId: sold.eventOccurrenceId },
    participant: {
      ticketId: sold.id,
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      ...more,
    },
  });

  it('is booked once, with its booker, and recorded', async () => {
    const { ticket: sold } = await sale(api);
    const asked = request(sold, { bibNumber: '1' });
    const [{ body: made }, { body: again }] = await Promise.all([add(asked), add(asked)]);
    expect((again as any).id).toBe((made as any).id);
    expect(made).toMatchObject({ ticketId: sold.id, bibNumber: '1', booker: { email: 'ada@example.com' } });
    const { body: booking } = await api.get(`/v0/bookings/${(made as any).bookingId}`);
    expect(booking).toMatchObject({ source: 'DASHBOARD', total: { value: 4500 } });
    const records = await query(
      `SELECT FROM audit_log WHERE action = 'participant.add' AND object_id = $1`,
      (made as any).id,
    );
    expect(records).toHaveLength(1);
  });

  it('needs a place, unless staff go beyond the capacity, and refusals name the field', async () => {
    const of = await race(api.dataSource, mine({ maxCapacity: 1 }));
    const sold = await ticket(api.dataSource, mine({ raceId: of.id }));
    const answers = await Promise.all([add(request(sold)), add(request(sold))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const problemOf = async (body: object) => {
      const { status, body: answered } = await add(body);
      const { path, code } = (answered as any).problems?.[0] ?? {};
      return [status, path, code];
    };
    expect(await problemOf(request(sold))).toEqual([400, 'participant.ticketId', 'NO_CAPACITY_REMAINING']);
    expect((await add({ ...request(sold), beyondCapacity: true })).status).toBe(200);
    const { ticket: other } = await sale(api);
    expect(await problemOf(request(other, { waveId: newId() }))).toEqual([
      ...[400, 'participant.waveId', 'WAVE_NOT_FOUND'],
    ]);
    expect(await problemOf(request(other, { email: null }))).toEqual([400, 'participant.email', 'REQUIRED']);
    expect(await problemOf(request(other, { dateOfBirth: '1800-01-01' }))).toEqual([
      ...[400, 'participant.dateOfBirth', 'OUT_OF_RANGE'],
    ]);
    expect(await problemOf(request(other, { fields: [{ key: 'nothing', value: 'x' }] }))).toEqual([
      ...[400, 'participant.fields[0].key', 'FIELD_NOT_FOUND'],
    ]);
    await expectCountersRight(api.dataSource);
  });
});
