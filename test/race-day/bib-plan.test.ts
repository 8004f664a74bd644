import type { INestApplicationContext } from '@nestjs/common';
import { booking, bookingFormField, key, organization, race, ticket, wave } from '#libs/testing';
import { newId, type StartListEntry, Team } from '#platform/database';
import { signedIn } from '../console/console';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { message, RaceDay } from './race-day';

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT: '100000' });
  raceDay = await RaceDay.of(api);
  const { organizationId } = api;
  await bookingFormField(api.dataSource, { organizationId, id: QUESTION, key: 'pace', type: 'NUMBER' });
});
afterAll(() => api?.close());

const QUESTION = newId();
const named = (
  lastName: string,
  firstName: string,
  more: Partial<StartListEntry> = {},
  answer?: unknown,
) => ({
  ...more,
  fields: [
    { id: newId(), key: 'firstName', label: 'First name', type: 'TEXT', value: firstName },
    { id: newId(), key: 'lastName', label: 'Last name', type: 'TEXT', value: lastName },
    ...(answer === undefined
      ? []
      : [{ id: QUESTION, key: 'pace', label: 'Pace', type: 'NUMBER', value: answer }]),
  ],
});

/** A race with the entries, in one booking. */
async function started(entries: Partial<StartListEntry>[], ticketId?: string) {
  const { organizationId } = api;
  const of = ticketId ?? (await ticket(api.dataSource, { organizationId })).id;
  const booked = await booking(api.dataSource, { organizationId, ticketId: of, entries });
  const ids = booked.entries.map(({ participantId }) => participantId);
  return { ids, raceId: booked.entries[0]?.raceId as string, ticketId: of, bookingId: booked.id };
}

const planned = async (raceId: string, ranges: object[], dryRun = false) => {
  const { status, body } = await api.send('POST', `/v0/races/${raceId}/bib-plan`, { ranges, dryRun });
  expect([status, (body as any).message]).toEqual([200, undefined]);
  return body;
};

const ended = (jobId: string | null) =>
  eventually(async () => {
    const { body } = await api.get(`/v0/participant-changes/${jobId}`);
    return ['COMPLETED', 'FAILED'].includes(body.status) && body;
  });

const withWorker = async <T>(work: (worker: INestApplicationContext) => Promise<T>): Promise<T> => {
  const worker = await startWorker(api);
  try {
    return await work(worker);
  } finally {
    await worker.close();
  }
};

/** Plans, and lets a worker give the bibs. */
const applied = async (raceId: string, ranges: object[]) => {
  const plan = await planned(raceId, ranges);
  const job = await withWorker(async () => {
    const done = await ended(plan.jobId);
    await raceDay.settled();
    return done;
  });
  return { plan, job };
};

const outcomesOf = async (jobId: string) => {
  const { body } = await api.get(`/v0/import-jobs/${jobId}/rows`);
  return body.data.map(({ error, outcome }: any) => error?.code ?? outcome);
};

describe('a bib plan', () => {
  it('previews what it does, and writes nothing in a dry run', async () => {
    const { ids, raceId } = await started([
      named('Zuse', 'Konrad'),
      named('Ärlig', 'Åsa', { tags: ['elite'] }),
      named('Noether', 'Emmy'),
      named('Lovelace', 'Ada'),
    ]);
    await raceDay.update(ids[3] as string, { bibNumber: '3' });
    await withWorker(() => raceDay.settled());
    const before = await raceDay.logged();
    const plan = await planned(
      raceId,
      [
        { from: 1, to: 5, tags: ['elite'], reserved: [{ from: 1 }] },
        { from: 1, to: 12, order: [{ by: 'NAME' }], reserved: [{ from: 6, to: 7 }] },
      ],
      true,
    );
    expect(plan).toEqual({
      ...{ raceId, dryRun: true, jobId: null, jobUrl: null },
      ...{ participants: 4, withBib: 1, assigned: 3, inNoRange: 0, inSeveralRanges: 1 },
      ranges: [
        {
          ...{ participants: 1, withBib: 0, assigned: 1, withoutNumber: 0, first: '2', last: '2' },
          ...{ numbersLeft: 2, reserved: 1, inEarlierRanges: 0, takenByOthers: 1, inGaps: 0, gaps: [] },
        },
        {
          ...{ participants: 3, withBib: 1, assigned: 2, withoutNumber: 0, first: '8', last: '9' },
          ...{ numbersLeft: 3, reserved: 2, inEarlierRanges: 5, takenByOthers: 0, inGaps: 0, gaps: [] },
        },
      ],
      conflicts: [
        { range: 0, bibNumber: '3', participantId: ids[3], firstName: 'Ada', lastName: 'Lovelace' },
      ],
      examples: [
        { range: 0, bibNumber: '2', participantId: ids[1], firstName: 'Åsa', lastName: 'Ärlig' },
        { range: 1, bibNumber: '8', participantId: ids[2], firstName: 'Emmy', lastName: 'Noether' },
        { range: 1, bibNumber: '9', participantId: ids[0], firstName: 'Konrad', lastName: 'Zuse' },
      ],
    });
    expect(await raceDay.logged()).toBe(before);
  });

  it('gives bibs as claims, and a repeated plan gives bibs to newcomers only', async () => {
    const { ids, raceId, ticketId } = await started([named('B', 'b'), named('A', 'a')]);
    const ranges = [{ from: 7, to: 99, prefix: 'M', digits: 3, order: [{ by: 'NAME' }] }];
    const { plan, job } = await applied(raceId, ranges);
    expect(plan.jobUrl).toBe(`/v0/participant-changes/${plan.jobId}`);
    expect([job.status, job.succeededRows, job.failedRows, job.results]).toEqual([
      ...['COMPLETED', 2, 0],
      [
        { row: 0, outcome: 'UPDATED', alreadyImported: false, participantId: ids[1] },
        { row: 1, outcome: 'UPDATED', alreadyImported: false, participantId: ids[0] },
      ],
    ]);
    expect(await raceDay.bibs(ids)).toEqual(['M008', 'M007']);
    const claims = await api.dataSource.query(
      'SELECT count(*)::int AS held FROM bib_claims WHERE race_id = $1 AND holds_last',
      [raceId],
    );
    expect(claims).toEqual([{ held: 2 }]);
    const { ids: newcomers } = await started([named('Aa', 'a')], ticketId);
    const again = await applied(raceId, ranges);
    expect([again.plan.withBib, again.plan.assigned]).toEqual([2, 1]);
    expect(await raceDay.bibs([...ids, ...newcomers])).toEqual(['M008', 'M007', 'M009']);
    const nobody = await planned(raceId, ranges);
    expect([nobody.jobId, nobody.jobUrl, nobody.assigned]).toEqual([null, null, 0]);
    // Whoever sets a bib later, by whatever means, replaces it.
    const later = new Date(Date.now() + 60_000).toISOString();
    await raceDay.accepted(message({ participantId: ids[0], bibNumber: '1' }, later));
    await withWorker(() => raceDay.settled());
    expect(await raceDay.bibs(ids)).toEqual(['1', 'M007']);
  });

  it('orders by wave, by a number that was answered, and keeps teams together', async () => {
    const { organizationId } = api;
    const { id: raceId, eventOccurrenceId } = await race(api.dataSource, { organizationId });
    const { id: ticketId } = await ticket(api.dataSource, { organizationId, raceId });
    const early = await wave(api.dataSource, { organizationId, raceId, startDateTime: new Date(0) });
    const late = await wave(api.dataSource, { organizationId, raceId, startDateTime: new Date(1) });
    const teamId = newId();
    await api.dataSource
      .getRepository(Team)
      .insert({ id: teamId, organizationId, eventOccurrenceId, name: 'T' });
    const { ids } = await started(
      [
        named('E', 'e', { waveId: late.id }, '5'),
        named('D', 'd', { waveId: early.id, teamId }, 12.5),
        named('C', 'c', { waveId: early.id }, '9,5'),
        named('B', 'b', { waveId: early.id, teamId }, 9),
        named('A', 'a', { waveId: early.id }, 'fast'),
      ],
      ticketId,
    );
    const order = [{ by: 'WAVE' }, { by: 'ANSWER', fieldId: QUESTION }];
    const orderOf = async (more: object) =>
      (await planned(raceId, [{ from: 1, to: 9, order, ...more }], true)).examples.map(
        ({ participantId }: any) => ids.indexOf(participantId),
      );
    expect(await orderOf({})).toEqual([3, 2, 1, 4, 0]);
    expect(await orderOf({ teamsTogether: true })).toEqual([3, 1, 2, 4, 0]);
    const slowest = [{ by: 'ANSWER', fieldId: QUESTION, descending: true }];
    expect(await orderOf({ order: slowest })).toEqual([1, 2, 3, 0, 4]);
    const [one, two] = (
      await planned(
        raceId,
        [
          { from: 1, to: 1, waveIds: [early.id], ticketIds: [ticketId] },
          { from: 5, to: 9, waveIds: [late.id] },
        ],
        true,
      )
    ).ranges;
    expect([one?.assigned, one?.withoutNumber, two?.assigned]).toEqual([1, 3, 1]);
  });

  it('finds the gaps between numbers that have a holder', async () => {
    const { ids, raceId } = await started([named('A', 'a'), named('B', 'b'), named('C', 'c')]);
    await raceDay.update(ids[0] as string, { bibNumber: '9' });
    await raceDay.update(ids[1] as string, { bibNumber: '4' });
    await withWorker(() => raceDay.settled());
    const { ranges } = await planned(raceId, [{ from: 1, to: 20, reserved: [{ from: 6 }] }], true);
    expect(ranges[0]).toMatchObject({
      ...{ first: '1', last: '1', numbersLeft: 16, inGaps: 5 },
      gaps: [
        { from: '2', to: '3' },
        { from: '5', to: '5' },
        { from: '7', to: '8' },
      ],
    });
  });

  it('neither gives a number that a pending message claims, nor a bib to whom it names', async () => {
    const { ids, raceId } = await started([named('A', 'a'), named('B', 'b')]);
    await raceDay.accepted(message({ participantId: ids[0], bibNumber: '1' }));
    const plan = await planned(raceId, [{ from: 1, to: 9 }], true);
    expect(plan.examples).toMatchObject([{ bibNumber: '2', participantId: ids[1] }]);
    await withWorker(() => raceDay.settled());
  });

  it('leaves bibs that messages have given since, and numbers that they have taken', async () => {
    const { ids, raceId, bookingId, ticketId } = await started(
      ['A', 'B', 'C', 'D', 'E'].map((name) => named(name, name)),
    );
    const { ids: others } = await started([named('Z', 'z')], ticketId);
    const { jobId } = await planned(raceId, [{ from: 1, to: 9, order: [{ by: 'NAME' }] }]);
    // Pending messages of the time before the job runs.
    await raceDay.accepted([
      message({ participantId: ids[0], bibNumber: '50' }),
      message({ participantId: others[0], bibNumber: '2' }),
      message({ participantId: ids[3], bibNumber: '4' }),
    ]);
    await api.send('DELETE', `/v0/participants/${ids[4]}`, undefined);
    const job = await withWorker(async () => {
      const done = await ended(jobId);
      await raceDay.settled();
      return done;
    });
    expect(await outcomesOf(job.jobId)).toEqual([
      ...['UNCHANGED', 'BIB_NUMBER_TAKEN', 'UPDATED', 'UNCHANGED', 'NOT_CORRECTABLE', 'UNCHANGED'],
    ]);
    expect(await raceDay.bibs([...ids, ...others])).toEqual(['50', null, '3', '4', null, '2']);
    expect(bookingId).toBeTruthy();
    // Again: who got none gets the next free number.
    await applied(raceId, [{ from: 1, to: 9 }]);
    expect(await raceDay.bibs([ids[1] as string])).toEqual(['1']);
  });

  it('takes back what is still as it set it, and gives it again', async () => {
    const { ids, raceId } = await started([named('A', 'a'), named('B', 'b')]);
    const { job } = await applied(raceId, [{ from: 1, to: 9 }]);
    await raceDay.update(ids[0] as string, { bibNumber: '77' });
    const undone = async (jobId: string) => {
      const { status, body } = await api.send('POST', `/v0/import-jobs/${jobId}/undo`, {});
      expect([status, body.undoes]).toEqual([200, jobId]);
      return withWorker(async () => {
        const done = await ended(body.jobId);
        await raceDay.settled();
        return done;
      });
    };
    const undo = await undone(job.jobId);
    expect(await outcomesOf(undo.jobId)).toEqual(['CHANGED_SINCE_IMPORT', 'UPDATED']);
    expect(await raceDay.bibs(ids)).toEqual(['77', null]);
    await undone(undo.jobId);
    expect(await raceDay.bibs(ids)).toEqual(['77', '2']);
  });

  it('shows in the history of each participant who planned', async () => {
    const { ids, raceId } = await started([named('A', 'a')]);
    const { browser, memberId } = await signedIn(api, 'MANAGER');
    const { body } = await browser.ask('POST', `/v0/races/${raceId}/bib-plan`, {
      ranges: [{ from: 1, to: 9 }],
    });
    await withWorker(() => ended(body.jobId));
    const job = (await browser.ask('GET', `/console/v1/import-jobs/${body.jobId}`)).body;
    expect([job.mode, job.change]).toEqual(['CHANGE', { type: 'BIB' }]);
    const [record] = await api.dataSource.query(
      `SELECT action, actor_id AS by, changes FROM audit_log WHERE object_id = $1 AND details ->> 'jobId' = $2`,
      [ids[0], body.jobId],
    );
    expect(record).toEqual({
      ...{ action: 'participant.update', by: memberId },
      changes: [{ field: 'bibNumber', from: null, to: '1' }],
    });
  });
});

describe('refuses', () => {
  it('contradictions, unknown tickets and waves, and more numbers than it reads', async () => {
    const { raceId } = await started([{}]);
    const other = await ticket(api.dataSource, { organizationId: api.organizationId });
    const codesOf = async (...ranges: object[]) => {
      const { status, body } = await api.send('POST', `/v0/races/${raceId}/bib-plan`, {
        ranges,
        dryRun: true,
      });
      expect(status).toBe(400);
      return (body as any).problems.map(({ path, code }: any) => [path, code]);
    };
    expect(
      await codesOf({ from: 9, to: 1, reserved: [{ from: 5, to: 4 }], order: [{ by: 'ANSWER' }] }),
    ).toEqual([
      ['ranges[0].to', 'OUT_OF_RANGE'],
      ['ranges[0].reserved[0].to', 'OUT_OF_RANGE'],
      ['ranges[0].order[0].fieldId', 'REQUIRED'],
    ]);
    expect(
      await codesOf({ from: 1, to: 2, order: [{ by: 'NAME', fieldId: QUESTION, descending: true }] }),
    ).toEqual([
      ['ranges[0].order[0].fieldId', 'INVALID_COMBINATION'],
      ['ranges[0].order[0].descending', 'INVALID_COMBINATION'],
    ]);
    expect(await codesOf({ from: 1, to: 150_000 }, { from: 1, to: 150_000, prefix: 'B' })).toEqual([
      ['ranges', 'TOO_LARGE'],
    ]);
    expect(
      await codesOf({ from: 1, to: 2, ticketIds: [other.id] }, { from: 3, to: 4, waveIds: [newId()] }),
    ).toEqual([
      ['ranges[0].ticketIds[0]', 'TICKET_NOT_FOUND'],
      ['ranges[1].waveIds[0]', 'WAVE_NOT_FOUND'],
    ]);
    expect(await codesOf({ from: 1, to: 2, order: [{ by: 'ANSWER', fieldId: newId() }] })).toEqual([
      ['ranges[0].order[0].fieldId', 'FIELD_NOT_FOUND'],
    ]);
  });

  it('a second plan of the race while the first is open', async () => {
    const { raceId } = await started([named('A', 'a')]);
    const ranges = [{ from: 1, to: 9 }];
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.send('POST', `/v0/races/${raceId}/bib-plan`, { ranges })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const bodyOf = (wanted: number) =>
      answers.flatMap(({ status, body }) => (status === wanted ? [body] : []))[0] as any;
    const { jobId } = bodyOf(200);
    expect(bodyOf(400).message).toContain(jobId);
    expect((await planned(raceId, ranges, true)).assigned).toBe(1);
    await withWorker(() => ended(jobId));
  });

  it('races and jobs of other organizations, and jobs that are imports', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const { raceId } = await started([named('A', 'a')]);
    const { job } = await applied(raceId, [{ from: 1, to: 9 }]);
    const plan = { ranges: [{ from: 1, to: 9 }] };
    for (const [method, path, body] of [
      ['POST', `/v0/races/${raceId}/bib-plan`, plan],
      ['GET', `/v0/participant-changes/${job.jobId}`, undefined],
      ['GET', `/v0/import-jobs/${job.jobId}/rows`, undefined],
      ['POST', `/v0/import-jobs/${job.jobId}/undo`, {}],
    ] as const)
      expect((await api.send(method, path, body, token)).status).toBe(404);
    expect((await api.send('POST', `/v0/races/${newId()}/bib-plan`, plan)).status).toBe(404);
  });
});

it('gives no bib twice while timing messages claim the same numbers', async () => {
  const count = 90;
  const { ids, raceId } = await started(Array.from({ length: count }, (_, n) => named(`${n}`, 'x')));
  const ranges = [{ from: 1, to: 2 * count }];
  const { jobId } = await planned(raceId, ranges);
  await withWorker(async () => {
    // A third of the participants, with the numbers that the plan has for the others.
    const claims = ids.flatMap((participantId, n) =>
      n % 3 ? [] : [message({ participantId, bibNumber: String(n + 2) }, new Date().toISOString())],
    );
    await Promise.all(claims.map((claim) => raceDay.accepted(claim)));
    expect((await ended(jobId)).status).toBe('COMPLETED');
    await raceDay.settled();
    const { jobId: again } = await planned(raceId, ranges);
    if (again) await ended(again);
    await raceDay.settled();
  });
  const [found] = await api.dataSource.query(
    `SELECT count(*)::int AS bibs, count(DISTINCT bib_number)::int AS numbers FROM start_list_entries WHERE race_id = $1 AND bib_number IS NOT NULL`,
    [raceId],
  );
  expect(found).toEqual({ bibs: count, numbers: count });
  const overlaps = await api.dataSource.query(
    `SELECT FROM bib_claims a JOIN bib_claims b ON a.organization_id = b.organization_id AND a.race_id = b.race_id AND a.bib_number = b.bib_number
       AND a.seq < b.seq AND tstzrange(a.held_from, a.held_until) && tstzrange(b.held_from, b.held_until)
     WHERE a.race_id = $1 AND a.held_from IS NOT NULL AND b.held_from IS NOT NULL`,
    [raceId],
  );
  expect(overlaps).toEqual([]);
});
