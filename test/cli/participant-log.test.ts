import { booking, organization } from '#libs/testing';
import { newId, type StartListEntry } from '#platform/database';
import { type CommandLine, commandLine } from './startline';

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
});
afterAll(() => cli?.close());

const log = (organizationId: string, given: object) => {
  const row = { organization_id: organizationId, source: 'TIMING', applied_at: new Date(), ...given };
  return cli.dataSource.query(
    `INSERT INTO race_day_log (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map((_, n) => `$${n + 1}`)})`,
    Object.values(row),
  );
};
const at = (hour: number) => `2026-05-04T0${hour}:00:00Z`;

describe('participant log', () => {
  it('lists the messages, and why each is shown or not', async () => {
    const { id: organizationId } = await organization(cli.dataSource);
    const { entries } = await booking(cli.dataSource, {
      organizationId,
      entries: [
        { bibClaim: '12', bibNumber: null, bibChangedAt: new Date(at(3)) },
        { bibClaim: '12', bibNumber: '12', bibChangedAt: new Date(at(2)) },
      ],
    });
    const [loser, holder] = entries as [StartListEntry, StartListEntry];
    const about = { participant_id: loser.participantId };
    await log(organizationId, {
      ...about,
      source: 'IMPORT',
      changed_at: at(1),
      sets_bib: true,
      bib_number: '11',
    });
    await log(organizationId, { ...about, changed_at: at(3), sets_bib: true, bib_number: '12' });
    await log(organizationId, {
      ...about,
      changed_at: at(4),
      named_by_bib: true,
      bib_number: '11',
      shipping_status: 'DELIVERED',
      shipped_at: at(2),
      shipping_carrier: 'Post',
    });
    await log(organizationId, {
      ...about,
      source: 'RACE_DAY',
      changed_at: at(5),
      custom_fields: JSON.stringify([{ id: 'kit', value: 'collected' }]),
      applied_at: null,
    });

    const { code, stdout } = await cli.say('participant', 'log', loser.participantId);
    expect(code).toBe(0);
    for (const said of [
      /Participant \S+ of Race \d+ has no bib\./,
      /01:00:00\.000000Z {2}an import \(received .*\)\n {2}bib 11: superseded by the message of 2026-05-04T03:00/,
      new RegExp(
        `bib 12: not shown \\(BIB_NUMBER_TAKEN\\): participant ${holder.participantId} claimed the bib first`,
      ),
      /a timing message, sent to bib 11 \(received .*\)\n {2}delivered, sent 2026-05-04T02:.*: shown\n {2}carrier Post: shown/,
      /the organizer's update \(received .*\)\n {2}kit = "collected": not applied yet/,
    ]) {
      expect(stdout).toMatch(said);
    }
    const { answer } = await cli.run('participant', 'log', loser.id);
    expect(answer).toMatchObject({ participantId: loser.participantId, organizationId });
    expect(answer.messages.map(({ source, state }: Record<string, string>) => [source, state])).toEqual([
      ['IMPORT', 'APPLIED'],
      ['TIMING', 'APPLIED'],
      ['TIMING', 'APPLIED'],
      ['RACE_DAY', 'PENDING'],
    ]);
  });

  it('lists messages that wait for a participant that does not exist yet', async () => {
    const { id: organizationId } = await organization(cli.dataSource);
    const participantId = newId();
    const about = { participant_id: participantId, waiting_for: participantId };
    await log(organizationId, { ...about, changed_at: at(1), sets_bib: true, bib_number: '11' });
    const { stdout } = await cli.say('participant', 'log', participantId);
    expect(stdout).toContain(`There is no participant ${participantId} yet`);
    expect(stdout).toContain('bib 11: waits for the participant');
  });

  it.each([newId(), 'nobody'])('reports that participant %s does not exist', async (id) => {
    const { code, answer } = await cli.run('participant', 'log', id);
    expect(code).toBe(1);
    expect(answer).toMatchObject({ error: 'NOT_FOUND', message: expect.stringContaining(id) });
  });
});
