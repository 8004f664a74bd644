import { booking, organization, race, ticket } from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let cli: CommandLine;
let manager: Browser;
let viewer: Browser;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
  manager = (await signedIn(api, 'MANAGER')).browser;
  viewer = (await signedIn(api, 'VIEWER')).browser;
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const answers = (firstName: string, lastName: string) =>
  Object.entries({ firstName, lastName }).map(([key, value]) => ({
    ...{ id: newId(), key, label: key, type: 'TEXT', value },
  }));

/** A ticket with pending applications. */
async function applied(count: number, given: Partial<Parameters<typeof ticket>[1]> = {}) {
  const made = await ticket(api.dataSource, mine({ approval: 'BALLOT' as const, ...given }));
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { entries } = await booking(
      api.dataSource,
      mine({
        ticketId: made.id,
        entries: [
          {
            approvalStatus: 'PENDING',
            applicationResolutionType: made.approval,
            fields: answers('Ada', `Lovelace${i}`),
          },
        ],
      }),
    );
    ids.push(entries[0]?.id as string);
  }
  return { ...made, ids };
}

const list = (query: string, browser = viewer) => browser.ask('GET', `/console/v1/applications?${query}`);
const decide = (body: object, browser = manager) =>
  browser.ask('POST', '/console/v1/applications/decide', body);
const draw = (id: string, body: object, browser = manager) =>
  browser.ask('POST', `/console/v1/ballots/${id}/draw`, body);
const statesOf = async (ticketId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await api.dataSource.getRepository(StartListEntry).findBy({ ticketId })).map((entry) => [
      entry.id,
      entry.approvalStatus,
    ]),
  );
const records = async (objectId: string): Promise<{ action: string; actor_type: string }[]> =>
  api.dataSource.query('SELECT action, actor_type FROM audit_log WHERE object_id = $1 ORDER BY id', [
    objectId,
  ]);
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('the list of applications', () => {
  it('has filters by event, ticket, state and way of decision, and finds people by the beginnings of words', async () => {
    const { id, eventOccurrenceId, ids } = await applied(3, { approval: 'MANUAL' });
    const other = await applied(1);
    await decide({ decision: 'REJECT', applicationIds: [ids[0]], reason: 'Too late' });
    expect(idsOf((await list(`eventOccurrenceId=${eventOccurrenceId}`)).body)).toEqual([...ids].reverse());
    const pending = await list(`ticketId=${id}&approvalStatus=PENDING`);
    expect([idsOf(pending.body), pending.body.page.totalResults]).toEqual([[ids[2], ids[1]], 2]);
    const rejected = await list(`ticketId=${id}&approvalStatus=REJECTED`);
    expect(rejected.body.data).toMatchObject([{ id: ids[0], reason: 'Too late', participantId: null }]);
    expect(idsOf((await list(`ticketId=${other.id}&applicationResolutionType=MANUAL`)).body)).toEqual([]);
    expect(idsOf((await list(`ticketId=${id}&search=LOVELACE2%20ad`)).body)).toEqual([ids[2]]);
    await decide({ decision: 'APPROVE', applicationIds: [ids[2]] });
    expect((await list(`ticketId=${id}&search=lovelace2`)).body.data).toMatchObject([
      { id: ids[2], participantId: expect.any(String), approvalStatus: 'APPROVED' },
    ]);
  });
});

describe('decisions about applications', () => {
  it('are those of the command line, each recorded with the member', async () => {
    const { ids } = await applied(2, { approval: 'MANUAL' });
    const { status, body } = await decide({ decision: 'APPROVE', applicationIds: [ids[0]] });
    const { answer } = await cli.run('application', 'approve', ids[1] as string);
    expect([status, body.decided]).toEqual([
      200,
      [{ ...answer, applicationId: ids[0], participantId: body.decided[0]?.participantId }],
    ]);
    expect(await records(ids[0] as string)).toEqual([{ action: 'application.approve', actor_type: 'STAFF' }]);
    expect(await records(ids[1] as string)).toMatchObject([{ action: 'application.approve' }]);
  });

  it('apply once and give each place once, when two people decide at the same time', async () => {
    const { id, ids } = await applied(6, { maxCapacity: 4 });
    const both = await Promise.all([
      decide({ decision: 'APPROVE', applicationIds: ids }),
      decide({ decision: 'APPROVE', applicationIds: [...ids].reverse() }),
    ]);
    expect(both.flatMap(({ body }) => body.decided)).toHaveLength(4);
    expect(Object.values(await statesOf(id)).filter((state) => state === 'APPROVED')).toHaveLength(4);
    const codes = both.flatMap(({ body }) => body.refused.map(({ code }: { code: string }) => code));
    expect(codes.filter((code) => code === 'NO_CAPACITY_REMAINING')).toHaveLength(4);
    expect(codes.filter((code) => code === 'NOT_PENDING')).toHaveLength(4);
    for (const each of ids) expect((await records(each)).length).toBeLessThan(2);
  });

  it('and draws are repeated with an Idempotency-Key, with the same answer', async () => {
    const twice = async (path: string, body: object) => {
      const send = () => manager.ask('POST', path, body, { 'idempotency-key': path });
      const [first, second] = [await send(), await send()];
      expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
      return first.body;
    };
    const { id, ids } = await applied(3, { maxCapacity: 2 });
    const applicationIds = [...ids, newId()];
    const { decided, refused } = await twice('/console/v1/applications/decide', {
      ...{ decision: 'APPROVE', applicationIds },
    });
    expect([decided.length, refused.length]).toEqual([2, 2]);
    expect((await decide({ decision: 'APPROVE', applicationIds })).body.decided).toEqual([]);
    const cleared = { decision: 'NOT_DUPLICATE', applicationIds: [ids[2]] };
    const path = '/console/v1/applications/decide';
    for (const key of ['clear', 'clear'])
      expect((await manager.ask('POST', path, cleared, { 'idempotency-key': key })).status).toBe(200);
    const [entry] = await api.dataSource.getRepository(StartListEntry).findBy({ id: ids[2] });
    expect(entry?.statusDetails).toHaveLength(1);
    const { isFinished } = await twice(`/console/v1/ballots/${id}/draw`, { number: 1, seed: 's', places: 0 });
    expect(isFinished).toBe(true);
  });

  it('reach all that match in steps, the first that applied first', async () => {
    const { id, ids } = await applied(205, { maxCapacity: 203 });
    const matching = { ticketId: id, search: 'lovelace' };
    const counted = await manager.ask('POST', '/console/v1/applications/by-ticket', matching);
    expect(counted.body.tickets).toEqual([expect.objectContaining({ ticketId: id, applications: 205 })]);
    const first = await decide({ decision: 'APPROVE', matching });
    expect([first.body.decided.length, first.body.next]).toEqual([200, ids[199]]);
    const second = await decide({ decision: 'APPROVE', matching, after: first.body.next });
    expect([second.body.decided.length, second.body.refused.length, second.body.next]).toEqual([3, 2, null]);
    const states = await statesOf(id);
    expect(ids.map((each) => states[each]).lastIndexOf('APPROVED')).toBe(202);
  });

  it('reach none that is cancelled, or was made after those that were counted', async () => {
    const { id, ids } = await applied(3, { approval: 'MANUAL' });
    const cancelled = { cancelledAt: new Date() };
    await api.dataSource.getRepository(StartListEntry).update({ id: ids[2] }, cancelled);
    const matching = { ticketId: id };
    const { body } = await manager.ask('POST', '/console/v1/applications/by-ticket', matching);
    expect(body).toMatchObject({ tickets: [{ applications: 2 }], until: ids[1] });
    const { entries } = await booking(
      api.dataSource,
      mine({ ticketId: id, entries: [{ approvalStatus: 'PENDING', applicationResolutionType: 'MANUAL' }] }),
    );
    const { body: done } = await decide({ decision: 'REJECT', matching: { ...matching, until: body.until } });
    expect([done.decided.length, done.refused, done.next]).toEqual([2, [], null]);
    expect(await statesOf(id)).toMatchObject({
      [ids[2] as string]: 'PENDING',
      [entries[0]?.id as string]: 'PENDING',
    });
    const none = await manager.ask('POST', '/console/v1/applications/by-ticket', { ticketId: newId() });
    expect(none.body).toEqual({ tickets: [], until: null });
  });

  it('refuse what is decided, cancelled, foreign or missing, and bodies without an aim', async () => {
    const { ids } = await applied(1, { approval: 'MANUAL' });
    const other = await organization(api.dataSource);
    const foreign = await booking(api.dataSource, {
      organizationId: other.id,
      entries: [{ approvalStatus: 'PENDING', applicationResolutionType: 'MANUAL' }],
    });
    await decide({ decision: 'WITHDRAW', applicationIds: ids });
    const unknown = [foreign.entries[0]?.id as string, newId()];
    const { body } = await decide({ decision: 'APPROVE', applicationIds: [...ids, ...unknown] });
    expect(body.refused).toEqual([
      { applicationId: ids[0], code: 'NOT_PENDING', approvalStatus: 'WITHDRAWN' },
      ...unknown.map((applicationId) => ({ applicationId, code: 'NOT_FOUND', approvalStatus: null })),
    ]);
    for (const wrong of [
      { decision: 'APPROVE' },
      { decision: 'APPROVE', applicationIds: [] },
      { decision: 'APPROVE', applicationIds: ids, matching: {} },
      { decision: 'APPROVE', applicationIds: ids, after: ids[0] },
      { decision: 'MAYBE', applicationIds: ids },
    ])
      expect((await decide(wrong)).status).toBe(400);
    expect((await decide({ decision: 'APPROVE', applicationIds: ids }, viewer)).status).toBe(403);
  });
});

describe('decisions about teams', () => {
  /** A ticket with bookings of one unit each, all pending. */
  async function teams(count: number, unitSize: number, given: Partial<Parameters<typeof ticket>[1]> = {}) {
    const made = await ticket(api.dataSource, mine({ approval: 'BALLOT' as const, unitSize, ...given }));
    const pending = { approvalStatus: 'PENDING', applicationResolutionType: made.approval } as const;
    const entries = Array.from({ length: unitSize }, (_, i) => ({ ...pending, startsUnit: i === 0 }));
    const ids: string[][] = [];
    for (let i = 0; i < count; i += 1) {
      const team = await booking(api.dataSource, mine({ ticketId: made.id, entries }));
      ids.push(team.entries.map(({ id }) => id));
    }
    const used = async () => (await api.get(`/v0/tickets/${made.id}`)).body.usedCapacity;
    const shown = async () => (await viewer.ask('GET', `/console/v1/ballots/${made.id}`)).body;
    return { ...made, ids, used, shown };
  }
  const decided = async (decision: string, applicationIds: (string | undefined)[]) =>
    (await decide({ decision, applicationIds })).body.decided.length;

  it('give a unit its place once and as a whole, or none to any of it', async () => {
    const { id, ids, used } = await teams(2, 4, { approval: 'MANUAL', maxCapacity: 1 });
    const { body } = await decide({ decision: 'APPROVE', matching: { ticketId: id } });
    expect(body.decided.map(({ applicationId }: any) => applicationId)).toEqual(ids[0]);
    expect(body.refused).toEqual(
      ids[1]?.map((applicationId) => ({
        ...{ applicationId, approvalStatus: 'PENDING', code: 'NO_CAPACITY_REMAINING' },
      })),
    );
    const { answer } = await cli.run('application', 'approve', ids[1]?.[3] as string);
    expect([answer.error, await used()]).toEqual(['NO_CAPACITY_REMAINING', 1]);

    const { id: raceId } = await race(api.dataSource, mine({ maxCapacity: 5 }));
    const ofRace = await teams(2, 3, { approval: 'MANUAL', raceId });
    expect(await decided('APPROVE', ofRace.ids.flat())).toBe(3);
    // Two places are left: enough for these two of the other team.
    expect(await decided('APPROVE', ofRace.ids[1]?.slice(1) ?? [])).toBe(2);
    expect(await ofRace.used()).toBe(2);
  });

  it('let a unit hold its place, and have its lot, without its first member', async () => {
    const { id, ids, used, shown } = await teams(3, 3, { maxCapacity: 3 });
    const [[first, ...others], [withdrawn, second, third]] = ids as [string[], string[]];
    expect(await decided('REJECT', [first])).toBe(1);
    expect(await decided('WITHDRAW', [withdrawn])).toBe(1);
    expect(await shown()).toMatchObject({ pending: 7, pendingUnits: 3, placesLeft: 3 });
    expect(await decided('APPROVE', others)).toBe(2);
    expect(await decided('APPROVE', [third])).toBe(1);
    // The last one of the second team takes no other place.
    expect(await shown()).toMatchObject({ pending: 4, pendingUnits: 1, placesLeft: 1 });
    expect(await decided('APPROVE', [second])).toBe(1);
    expect(await used()).toBe(2);
    const { body } = await draw(id, { number: 1, seed: 's', places: 1 });
    expect(body).toMatchObject({ applications: 3, drawn: 3 });
    expect(await used()).toBe(3);
  });

  it('let those who are left of a team have one lot', async () => {
    const { id, ids } = await teams(2, 3);
    await decided('REJECT', [ids[0]?.[0], ids[1]?.[0]]);
    const { body } = await draw(id, { number: 1, seed: 's', places: 1 });
    expect(body).toMatchObject({ applications: 4, drawn: 2, notDrawn: 2 });
    const states = await statesOf(id);
    expect(ids.map(([, ...rest]) => new Set(rest.map((each) => states[each])).size)).toEqual([1, 1]);
  });
});

describe('a ballot', () => {
  it('shows what can be drawn, and its draws', async () => {
    const { id } = await applied(3, { maxCapacity: 2 });
    const before = await viewer.ask('GET', `/console/v1/ballots/${id}`);
    expect(before.body).toMatchObject({
      pending: 3,
      pendingUnits: 3,
      placesLeft: 2,
      drawCount: 0,
      draws: [],
    });
    const { body } = await draw(id, { number: 1, seed: 'seed', places: 2 });
    expect(body).toMatchObject({ isFinished: true, applications: 3, drawn: 2, notDrawn: 1 });
    const after = await viewer.ask('GET', `/console/v1/ballots/${id}`);
    expect(after.body).toMatchObject({ pending: 0, placesLeft: 0, drawCount: 1, draws: [body] });
    expect(await records(id)).toEqual([{ action: 'ballot.draw', actor_type: 'STAFF' }]);
    expect((await viewer.ask('GET', '/console/v1/ballots')).body.data[0]).toMatchObject({ id, drawCount: 1 });
    const { id: unlimited } = await applied(1);
    expect((await viewer.ask('GET', `/console/v1/ballots/${unlimited}`)).body.placesLeft).toBeNull();
  });

  it('has the result of the command line for the same seed', async () => {
    const { id, ids } = await applied(8);
    await draw(id, { number: 1, seed: 'the same', places: 3 });
    const drawn = await statesOf(id);
    // The same applications, undecided again.
    await api.dataSource.query(
      `UPDATE start_list_entries SET approval_status = 'PENDING' WHERE ticket_id = $1`,
      [id],
    );
    await cli.run('ballot', 'draw', id, '--seed', 'the same', '--places', '3');
    expect(await statesOf(id)).toEqual(drawn);
    expect(ids.filter((each) => drawn[each] === 'APPROVED')).toHaveLength(3);
  });

  it('is drawn once when two people press at the same time, or again', async () => {
    const request = { number: 1, seed: 'once', places: 5, keepsPending: true };
    let id = '';
    // As many places as are drawn: who comes second finds none left, and still gets the result of the first.
    for (let round = 0; round < 8; round += 1) {
      ({ id } = await applied(12, { maxCapacity: 5 }));
      const both = await Promise.all([draw(id, request), draw(id, request), draw(id, request)]);
      const again = await draw(id, request);
      for (const { status, body } of [...both, again])
        expect([status, body]).toEqual([
          200,
          {
            ...request,
            isFinished: true,
            applications: 12,
            drawn: 5,
            notDrawn: 7,
            decided: 0,
            full: 0,
            duplicates: 0,
          },
        ]);
      expect(Object.values(await statesOf(id)).filter((state) => state === 'APPROVED')).toHaveLength(5);
      expect(await records(id)).toHaveLength(1);
    }
    const other = await draw(id, { ...request, seed: 'another' });
    expect([other.status, other.body.problems]).toMatchObject([400, [{ code: 'CHANGED_MEANWHILE' }]]);
  });

  it('refuses more places than there are, other tickets, and draws of viewers', async () => {
    const { id } = await applied(1, { maxCapacity: 3 });
    const many = await draw(id, { number: 1, seed: 's', places: 4 });
    expect([many.status, many.body.problems]).toMatchObject([
      400,
      [{ path: 'places', code: 'OUT_OF_RANGE' }],
    ]);
    const { id: instant } = await ticket(api.dataSource, mine({}));
    expect((await draw(instant, { number: 1, seed: 's', places: 1 })).status).toBe(400);
    expect((await viewer.ask('GET', `/console/v1/ballots/${instant}`)).status).toBe(404);
    const { id: organizationId } = await organization(api.dataSource);
    const foreign = await ticket(api.dataSource, { organizationId, approval: 'BALLOT' });
    expect((await draw(foreign.id, { number: 1, seed: 's', places: 1 })).status).toBe(404);
    expect((await viewer.ask('GET', `/console/v1/ballots/${foreign.id}`)).status).toBe(404);
    expect((await draw(id, { number: 1, seed: 's', places: 1 }, viewer)).status).toBe(403);
    expect((await draw(id, { number: 2, seed: 's', places: 1 })).status).toBe(400);
  });
});
