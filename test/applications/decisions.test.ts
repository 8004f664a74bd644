import { lockRaceDay } from '#domain/race-day';
import { booking, reservedEntryGroup } from '#libs/testing';
import { newId, type StartListEntry } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { eventually, sharedApi, type TestApi } from '../harness';

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

const applied = async (given: Partial<StartListEntry> = {}, ticketId?: string) => {
  const { entries } = await booking(api.dataSource, {
    organizationId: api.organizationId,
    ticketId,
    entries: [{ approvalStatus: 'PENDING', applicationResolutionType: 'MANUAL', ...given }],
  });
  return entries[0] as StartListEntry;
};
const application = async ({ id }: StartListEntry) => (await api.get(`/v0/applications/${id}`)).body;

describe('application approve, reject and withdraw', () => {
  it('approve makes the entry a participant', async () => {
    const entry = await applied();
    const before = await application(entry);
    expect((await api.get(`/v0/participants/${entry.participantId}`)).status).toBe(404);
    const { code, answer } = await cli.run('application', 'approve', entry.id, '--reason', 'Drawn');
    expect([code, answer]).toEqual([
      0,
      { applicationId: entry.id, participantId: entry.participantId, approvalStatus: 'APPROVED' },
    ]);
    const after = await application(entry);
    expect(after).toMatchObject({
      approvalStatus: 'APPROVED',
      statusDetails: [{ status: 'APPROVED', at: expect.any(String), reason: 'Drawn' }],
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await api.get(`/v0/participants/${entry.participantId}`)).status).toBe(200);
    const { body } = await api.get(`/v0/races/${entry.raceId}/participants`);
    expect(body.page.totalResults).toBe(1);
  });

  it.each([
    ['reject', 'REJECTED'],
    ['withdraw', 'WITHDRAWN'],
  ])('%s keeps the entry an application, and frees its reserved place', async (command, status) => {
    const { organizationId, dataSource } = api;
    const group = await reservedEntryGroup(dataSource, { organizationId });
    const entry = await applied({ reservedEntryGroupId: group.id, holdsReservedPlace: true }, group.ticketId);
    const used = async () =>
      (await api.get(`/v0/event-occurrences/${group.eventOccurrenceId}/reserved-entries`)).body.data[0]
        .usedCapacity;
    expect(await used()).toBe(1);
    expect((await cli.run('application', command, entry.id)).code).toBe(0);
    expect(await application(entry)).toMatchObject({
      approvalStatus: status,
      statusDetails: [{ status, at: expect.any(String), reason: null }],
    });
    expect(await used()).toBe(0);
    expect((await api.get(`/v0/participants/${entry.participantId}`)).status).toBe(404);
  });

  it('decide pending applications only, and only once', async () => {
    const entry = await applied();
    const outcomes = await Promise.all(
      ['approve', 'reject', 'withdraw'].map((command) => cli.run('application', command, entry.id)),
    );
    expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(outcomes.filter(({ answer }) => answer.error === 'NOT_PENDING')).toHaveLength(2);
    expect((await application(entry)).statusDetails).toHaveLength(1);
  });

  it('do not approve an application of a cancelled booking', async () => {
    const entry = await applied({ cancelledAt: new Date() });
    const { code, answer } = await cli.run('application', 'approve', entry.id);
    expect([code, answer.error]).toEqual([1, 'CANCELLED']);
    expect((await application(entry)).approvalStatus).toBe('PENDING');
  });

  it('wait for race-day work, which reads who is approved', async () => {
    const entry = await applied();
    const { decided } = await api.dataSource.transaction(async (manager) => {
      await lockRaceDay(manager, api.organizationId);
      const decided = cli.run('application', 'approve', entry.id);
      await eventually(async () => {
        const [{ waiting }] = await api.dataSource.query(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event = 'advisory'`,
        );
        return waiting > 0;
      });
      expect((await application(entry)).approvalStatus).toBe('PENDING');
      return { decided };
    });
    expect((await decided).code).toBe(0);
    expect((await application(entry)).approvalStatus).toBe('APPROVED');
  });

  it('reject ids that are not of applications', async () => {
    const { participantId } = await applied();
    for (const id of [participantId, newId(), '17']) {
      const { code, answer } = await cli.run('application', 'approve', id);
      expect([code, answer.error]).toEqual([1, 'NOT_FOUND']);
    }
  });
});
