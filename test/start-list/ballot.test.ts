import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { drawBallot } from '#domain/participants';
import { hasRaceDayWork, raceDayRound } from '#domain/race-day';
import { bookingForm, bookingFormField, key } from '#libs/testing';
import { newId } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { eventually, sharedApi, type TestApi } from '../harness';
import { type StartLists, startLists } from './fixture';

let api: TestApi;
let cli: CommandLine;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const ACTOR = { type: 'SYSTEM', id: null, origin: null } as const;

const pendingOn = (ticketId: string, given: object = {}) => ({
  ticketId,
  approvalStatus: 'PENDING',
  ...given,
});

/** Pending applications for the ballot ticket, one booking each. */
async function applied(lists: StartLists, count: number, given: object = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, () =>
    lists.row(`order-${newId()}`, {
      participants: [lists.participant(pendingOn(lists.ballot.id, given))],
    }),
  );
  expect((await lists.load(rows)).answer).toMatchObject({ created: count, failed: 0 });
  const { data } = await lists.get('/v0/applications?page[size]=500');
  const ids = new Set(rows.map(({ externalBookingId }) => externalBookingId));
  return data.filter((each: any) => ids.has(each.externalBookingId)).map(({ id }: { id: string }) => id);
}
const draw = (lists: StartLists, seed: string, places: number, ...options: string[]) =>
  cli.run('ballot', 'draw', lists.ballot.id, '--seed', seed, '--places', String(places), ...options);
const inOrderOfLots = (ids: string[], seed: string) =>
  [...ids].sort((a, b) => (lotOf(a, seed) < lotOf(b, seed) ? -1 : 1));
const lotOf = (id: string, seed: string) => createHash('sha256').update(`${seed}/${id}`).digest('hex');
const applicationsOf = async (lists: StartLists): Promise<any[]> =>
  (await lists.get('/v0/applications?page[size]=500')).data;

describe('ballot draw', () => {
  it('approves the lowest lots, rejects the others, and is recorded', async () => {
    const lists = await startLists(api, cli);
    const ids = await applied(lists, 30);
    await lists.load([
      lists.row('instant'),
      lists.row('manual', { participants: [lists.participant(pendingOn(lists.manual.id))] }),
    ]);
    const { code, answer } = await draw(lists, 'lottery 4711', 10);
    expect([code, answer]).toMatchObject([
      0,
      { name: 'Draw 1', seed: 'lottery 4711', places: 10, applications: 30, drawn: 10, notDrawn: 20 },
    ]);
    const winners = inOrderOfLots(ids, 'lottery 4711').slice(0, 10);
    for (const each of await applicationsOf(lists)) {
      if (!ids.includes(each.id)) {
        expect(each).toMatchObject({ ballotDraw: null, statusDetails: [] });
        continue;
      }
      const isDrawn = winners.includes(each.id);
      expect(each).toMatchObject({
        ballotDraw: 'Draw 1',
        applicationResolutionType: 'BALLOT',
        approvalStatus: isDrawn ? 'APPROVED' : 'REJECTED',
        statusDetails: [
          {
            status: isDrawn ? 'APPROVED' : 'REJECTED',
            at: expect.any(String),
            reason: isDrawn ? null : 'Not drawn',
          },
        ],
      });
    }
    expect((await lists.get('/v0/participants')).page.totalResults).toBe(11);
    const { answer: log } = await cli.run(
      'audit',
      'list',
      '--organization',
      lists.slug,
      '--action',
      'ballot',
    );
    expect(log).toMatchObject([
      {
        action: 'ballot.draw',
        objectId: lists.ballot.id,
        details: { drawId: answer.drawId, seed: 'lottery 4711', places: 10, keepsPending: false },
      },
    ]);
    const [row] = await api.dataSource.query('SELECT * FROM ballot_draws WHERE id = $1', [answer.drawId]);
    expect(row).toMatchObject({ number: 1, drawn_units: 10, actor_type: 'COMMAND_LINE' });
    expect(row.finished_at).not.toBeNull();
  });

  it('gives the same result for the same seed and applications, and another for another seed', async () => {
    const lists = await startLists(api, cli);
    const ids = await applied(lists, 40);
    const drawn = async (seed: string) => {
      await draw(lists, seed, 15);
      const winners = (await applicationsOf(lists))
        .filter(({ approvalStatus }) => approvalStatus === 'APPROVED')
        .map(({ id }) => id);
      await api.dataSource.query(
        `UPDATE start_list_entries SET approval_status = 'PENDING' WHERE organization_id = $1`,
        [lists.organizationId],
      );
      return new Set(winners);
    };
    const first = await drawn('seed');
    expect(first.size).toBe(15);
    expect(await drawn('seed')).toEqual(first);
    expect(await drawn('other')).not.toEqual(first);
    expect(first).toEqual(new Set(inOrderOfLots(ids, 'seed').slice(0, 15)));
  });

  it('keeps others pending for another draw if requested', async () => {
    const lists = await startLists(api, cli);
    const ids = await applied(lists, 9);
    expect((await draw(lists, 'one', 3, '--keep-pending')).answer).toMatchObject({ drawn: 3, notDrawn: 6 });
    const after = await applicationsOf(lists);
    expect(after.filter(({ approvalStatus }) => approvalStatus === 'PENDING')).toHaveLength(6);
    expect(after.every(({ ballotDraw }) => ballotDraw === 'Draw 1')).toBe(true);
    const { answer } = await draw(lists, 'two', 2);
    expect(answer).toMatchObject({ name: 'Draw 2', applications: 6, drawn: 2, notDrawn: 4 });
    const winners = new Set([
      ...inOrderOfLots(ids, 'one').slice(0, 3),
      ...inOrderOfLots(inOrderOfLots(ids, 'one').slice(3), 'two').slice(0, 2),
    ]);
    const approved = (await applicationsOf(lists)).filter(
      ({ approvalStatus }) => approvalStatus === 'APPROVED',
    );
    expect(new Set(approved.map(({ id }) => id))).toEqual(winners);
  });

  it('says who was decided by hand between two of its steps', async () => {
    const lists = await startLists(api, cli);
    const ids = await applied(lists, 4);
    const request = { ticketId: lists.ballot.id, seed: 's', places: 1, keepsPending: true };
    await drawBallot(api.dataSource, { ...request, mostSteps: 1 }, ACTOR);
    const [, rejected, withdrawn] = inOrderOfLots(ids, 's') as [string, string, string];
    await cli.run('application', 'reject', rejected);
    await cli.run('application', 'withdraw', withdrawn);
    expect(await drawBallot(api.dataSource, request, ACTOR)).toMatchObject({
      ...{ drawn: 1, notDrawn: 1, decided: 2 },
    });
  });

  it('takes no application that arrives after another process has collected all', async () => {
    const lists = await startLists(api, cli);
    const { dataSource } = api;
    const person = { dateOfBirth: '1985-12-10', email: 'ada@example.com' };
    await applied(lists, 1, person);
    const request = { ticketId: lists.ballot.id, seed: 's', places: 1, keepsPending: true };
    const { master } = dataSource.driver as unknown as { master: Pool };
    let isLate = false;
    const slow = {
      transaction: dataSource.transaction.bind(dataSource) as DataSource['transaction'],
      execute: async (query: { name?: string; text: string; values: unknown[] }) => {
        if (!isLate && query.text.includes('duplicates AS')) {
          isLate = true;
          await drawBallot(dataSource, { ...request, mostSteps: 1 }, ACTOR);
          await applied(lists, 1, person);
        }
        return master.query(query);
      },
    };
    expect(await drawBallot(slow, request, ACTOR)).toMatchObject({
      applications: 1,
      drawn: 1,
      duplicates: 0,
    });
    expect(isLate).toBe(true);
  });

  it('draws teams as a whole, and counts them once', async () => {
    const lists = await startLists(api, cli);
    await api.dataSource.query('UPDATE tickets SET unit_size = 3, max_capacity = 2 WHERE id = $1', [
      lists.ballot.id,
    ]);
    const team = (name: string) =>
      lists.row(name, {
        participants: [1, 2, 3].map(() => lists.participant(pendingOn(lists.ballot.id, { team: { name } }))),
      });
    await lists.load(['a', 'b', 'c', 'd'].map(team));
    expect((await draw(lists, 's', 3)).answer).toMatchObject({ error: 'NO_CAPACITY_REMAINING' });
    expect((await draw(lists, 's', 2)).answer).toMatchObject({ applications: 12, drawn: 6, notDrawn: 6 });
    const byTeam = new Map<string, Set<string>>();
    for (const { externalBookingId, approvalStatus } of await applicationsOf(lists))
      byTeam.set(externalBookingId, (byTeam.get(externalBookingId) ?? new Set()).add(approvalStatus));
    expect([...byTeam.values()].map((each) => [...each].join()).sort()).toEqual([
      'APPROVED',
      'APPROVED',
      'REJECTED',
      'REJECTED',
    ]);
    expect((await lists.get(`/v0/tickets/${lists.ballot.id}`)).usedCapacity).toBe(2);
  });

  it('gives a person one lot, that of the earliest application, until staff say otherwise', async () => {
    const lists = await startLists(api, cli);
    const { organizationId } = lists;
    const phone = (await bookingFormField(api.dataSource, { organizationId, type: 'PHONE' })).id;
    await bookingForm(api.dataSource, { organizationId, ticketIds: [lists.ballot.id], fieldIds: [phone] });
    let at = Date.parse('2026-01-01T08:00:00Z');
    const said = (number?: string) => ({ fields: number ? [{ id: phone, value: number }] : [] });
    const ada = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      dateOfBirth: '1985-12-10',
      email: 'ada@example.com',
    };
    const row = (id: string, person: object) => {
      at += 60_000;
      const participants = [lists.participant(pendingOn(lists.ballot.id, { ...ada, ...person }))];
      return lists.row(id, { createdAt: new Date(at).toISOString(), participants });
    };
    const rows = [
      row('first', said('+44 7700 900123')),
      row('same', { firstName: ' ADA', email: 'Ada@Example.com' }),
      row('same-phone', { ...said('0044 7700-900123'), email: 'other@example.com' }),
      row('same-number', { ...said('+44 (7700) 900 123'), email: 'third@example.com' }),
      row('twin', { firstName: 'Annabella' }),
      row('namesake', { email: 'namesake@example.com' }),
      row('born-later', { dateOfBirth: '1986-12-10' }),
    ];
    expect((await lists.load(rows)).answer).toMatchObject({ created: rows.length, failed: 0 });
    const duplicates = async () =>
      new Map<string, any>(
        (await applicationsOf(lists)).map((each) => [each.externalBookingId, each] as const),
      );
    const of = (await duplicates()).get('first').id;
    expect((await draw(lists, 's', 5, '--keep-pending')).answer).toMatchObject({
      ...{ applications: 7, drawn: 4, notDrawn: 0, duplicates: 3 },
    });
    const after = await duplicates();
    for (const id of ['same', 'same-phone', 'same-number']) {
      expect(after.get(id)).toMatchObject({
        ...{ approvalStatus: 'PENDING', ballotDraw: null },
        statusDetails: [
          { status: 'DUPLICATE', reason: `The same person applied earlier: application ${of}` },
        ],
      });
    }
    expect(after.get('first').approvalStatus).toBe('APPROVED');

    // They are no applicants of another draw, until staff say that it is somebody else.
    expect((await draw(lists, 't', 2, '--keep-pending')).answer).toMatchObject({ drawn: 0, duplicates: 3 });
    const same = after.get('same').id;
    const cleared = await cli.run('application', 'not-duplicate', same, '--reason', 'Checked by phone');
    expect(cleared.answer).toMatchObject({ applicationId: same, approvalStatus: 'PENDING' });
    expect((await draw(lists, 'u', 2)).answer).toMatchObject({ drawn: 1, notDrawn: 0, duplicates: 2 });
    const last = await duplicates();
    expect(last.get('same').statusDetails.map(({ status }: any) => status)).toEqual([
      'DUPLICATE',
      'NOT_DUPLICATE',
      'APPROVED',
    ]);
    expect(last.get('same-number').statusDetails).toHaveLength(1);
  });

  it('lets a later application count when the earlier one was withdrawn', async () => {
    const lists = await startLists(api, cli);
    const person = { dateOfBirth: '1985-12-10', email: 'ada@example.com' };
    const [first] = await applied(lists, 1, person);
    await applied(lists, 1, person);
    await cli.run('application', 'withdraw', first as string);
    expect((await draw(lists, 's', 2)).answer).toMatchObject({ drawn: 1, duplicates: 0 });
  });

  it('lets a later application count when staff rejected the earlier one, which a draw had left pending', async () => {
    const lists = await startLists(api, cli);
    const person = { dateOfBirth: '1985-12-10', email: 'ada@example.com' };
    const [first] = await applied(lists, 1, person);
    expect((await draw(lists, 's', 0, '--keep-pending')).answer).toMatchObject({ notDrawn: 1 });
    await cli.run('application', 'reject', first as string);
    await applied(lists, 1, person);
    expect((await draw(lists, 't', 1)).answer).toMatchObject({ drawn: 1, duplicates: 0 });
  });

  it('gives no place to an application of a redacted person', async () => {
    const lists = await startLists(api, cli);
    const [first] = await applied(lists, 2);
    await cli.run('participant', 'redact', first as string);
    expect((await draw(lists, 's', 2)).answer).toMatchObject({ applications: 1, drawn: 1 });
  });

  it('respects the places of ticket, race and wave', async () => {
    const lists = await startLists(api, cli);
    await api.dataSource.query('UPDATE waves SET capacity = 1 WHERE id = $1', [lists.waveId]);
    await api.dataSource.query('UPDATE races SET max_capacity = 5 WHERE id = $1', [lists.raceId]);
    const inWave = await applied(lists, 3, { waveId: lists.waveId });
    const others = await applied(lists, 6);
    expect((await draw(lists, 's', 6)).answer).toMatchObject({
      error: 'NO_CAPACITY_REMAINING',
      message: expect.stringContaining('5 places left'),
    });
    const order = inOrderOfLots([...inWave, ...others], 's');
    const expected: string[] = [];
    for (const id of order) {
      const isFull = inWave.includes(id) && expected.some((each) => inWave.includes(each));
      if (!isFull && expected.length < 5) expected.push(id);
    }
    expect((await draw(lists, 's', 5)).answer).toMatchObject({ drawn: 5 });
    const approved = (await applicationsOf(lists)).filter(
      ({ approvalStatus }) => approvalStatus === 'APPROVED',
    );
    expect(new Set(approved.map(({ id }) => id))).toEqual(new Set(expected));
    expect((await lists.get(`/v0/races/${lists.raceId}`)).usedCapacity).toBe(5);
  });

  it('emits change events', async () => {
    const lists = await startLists(api, cli);
    const events = async () => (await lists.get('/v0/change-events?page[size]=500')).data;
    await events();
    await applied(lists, 4);
    await draw(lists, 's', 1);
    const decided = await eventually(async () => {
      const found = (await events()).filter(({ type }: any) => type === 'application.decided');
      return found.length === 4 && found;
    });
    expect(new Set(decided.map(({ data }: any) => data.applicationId)).size).toBe(4);
  });

  it('rejects invalid draws', async () => {
    const lists = await startLists(api, cli);
    const refused = async (ticket: string, ...options: string[]) => {
      const { code, answer } = await cli.run('ballot', 'draw', ticket, ...options);
      expect(code).toBe(1);
      return answer.error;
    };
    const asked = ['--seed', 's', '--places', '1'];
    expect(await refused(lists.instant.id, ...asked)).toBe('REFUSED');
    expect(await refused(lists.manual.id, ...asked)).toBe('REFUSED');
    expect(await refused(newId(), ...asked)).toBe('NOT_FOUND');
    expect(await refused('17', ...asked)).toBe('NOT_FOUND');
    expect(await refused(lists.ballot.id, '--seed', ' ', '--places', '1')).toBe('INVALID_COMMAND');
    for (const places of ['-1', '1.5', 'x'])
      expect(await refused(lists.ballot.id, '--seed', 's', `--places=${places}`)).toBe('INVALID_COMMAND');
  });

  it('draws no applications of other organizations, and no cancelled ones', async () => {
    const [ours, theirs] = [await startLists(api, cli), await startLists(api, cli)];
    await applied(theirs, 2);
    const [first] = await applied(ours, 3);
    await api.dataSource.query('UPDATE start_list_entries SET cancelled_at = now() WHERE id = $1', [first]);
    expect((await draw(ours, 's', 3)).answer).toMatchObject({ applications: 2, drawn: 2 });
    expect((await applicationsOf(theirs)).every(({ approvalStatus }) => approvalStatus === 'PENDING')).toBe(
      true,
    );
  });
});

describe('application approve with several ids', () => {
  it('decides each, and reports those that failed', async () => {
    const lists = await startLists(api, cli);
    const [one, two, three] = await applied(lists, 3);
    await cli.run('application', 'reject', two as string);
    const { code, answer } = await cli.run(
      'application',
      'approve',
      ...([one, two, three, newId()] as string[]),
    );
    expect(code).toBe(1);
    expect(answer).toMatchObject({
      error: 'PARTLY_DECIDED',
      decided: [{ applicationId: one, approvalStatus: 'APPROVED' }, { applicationId: three }],
      refused: [{ applicationId: two, error: 'NOT_PENDING' }, { error: 'NOT_FOUND' }],
    });
    const { answer: log } = await cli.run(
      'audit',
      'list',
      '--organization',
      lists.slug,
      '--action',
      'application',
    );
    expect(log.map(({ action, objectId }: any) => [action, objectId]).sort()).toEqual(
      [
        ['application.approve', one],
        ['application.approve', three],
        ['application.reject', two],
      ].sort(),
    );
  });

  it('gives the last place to one of two', async () => {
    const lists = await startLists(api, cli);
    const ids = await applied(lists, 6);
    await api.dataSource.query('UPDATE tickets SET max_capacity = 2 WHERE id = $1', [lists.ballot.id]);
    const answers = await Promise.all(ids.map((id) => cli.run('application', 'approve', id)));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(2);
    expect(answers.filter(({ answer }) => answer.error === 'NO_CAPACITY_REMAINING')).toHaveLength(4);
    expect((await lists.get(`/v0/tickets/${lists.ballot.id}`)).usedCapacity).toBe(2);
  });

  it('applies race-day messages that waited for the participant', async () => {
    const lists = await startLists(api, cli);
    const [id] = await applied(lists, 1);
    const { token } = await key(api.dataSource, { organizationId: lists.organizationId, kind: 'TIMING' });
    const [{ participant_id: participantId }] = await api.dataSource.query(
      'SELECT participant_id FROM start_list_entries WHERE id = $1',
      [id],
    );
    const message = {
      schemaVersion: '1.0',
      changedAt: '2026-05-01T10:00:00Z',
      data: { participantId, bibNumber: '77' },
    };
    expect((await api.send('POST', '/timing-inbound/v1', message, token)).body.unidentified).toEqual([0]);
    // The message waits for its participant. No worker runs after that: the command itself processes the pending
    // race-day work.
    const { dataSource } = api;
    await raceDayRound((step) => dataSource.transaction(step), lists.organizationId, 100);
    expect(await hasRaceDayWork(dataSource.manager, lists.organizationId)).toBe(false);
    expect((await cli.run('application', 'approve', id as string)).code).toBe(0);
    expect((await lists.get(`/v0/participants/${participantId}`)).bibNumber).toBe('77');
  });
});
