import { booking } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { RaceDay } from '../race-day/race-day';
import { type CommandLine, commandLine } from './startline';

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

it('shows a bib plan, gives the bibs with --apply, and takes them back', async () => {
  const raceDay = await RaceDay.of(api);
  const { entries } = await booking(api.dataSource, { organizationId: api.organizationId, entries: 3 });
  const ids = entries.map(({ participantId }) => participantId);
  const raceId = entries[0]?.raceId as string;
  const file = cli.file('plan.json', JSON.stringify({ ranges: [{ from: 5, to: 6 }] }));
  const { code, stdout } = await cli.say('race', 'bib-plan', raceId, file);
  expect(code).toBe(0);
  expect(stdout).toContain('3 participants: 0 have a bib, 2 get one');
  const shown = await cli.run('race', 'bib-plan', raceId, file);
  expect(shown.answer).toMatchObject({
    dryRun: true,
    jobId: null,
    assigned: 2,
    ranges: [{ withoutNumber: 1 }],
  });
  const applied = await cli.run('race', 'bib-plan', raceId, file, '--apply');
  expect(applied.answer).toMatchObject({ status: 'COMPLETED', succeededRows: 2, failedRows: 0 });
  await raceDay.settled();
  expect(await raceDay.bibs(ids)).toEqual(['5', '6', null]);
  const undo = await cli.run('import', 'undo', applied.answer.jobId, '--follow');
  expect(undo.answer).toMatchObject({ status: 'COMPLETED', succeededRows: 2, undoes: applied.answer.jobId });
  await raceDay.settled();
  expect(await raceDay.bibs(ids)).toEqual([null, null, null]);
});

it('refuses files that are no plan, unknown races and contradictions', async () => {
  const { entries } = await booking(api.dataSource, { organizationId: api.organizationId });
  const [{ raceId, ticketId } = { raceId: '', ticketId: '' }] = entries;
  const refusalOf = async (race: string, plan: unknown) =>
    (await cli.run('race', 'bib-plan', race, cli.file('bad.json', JSON.stringify(plan)))).answer;
  expect(await refusalOf(raceId, { ranges: [] })).toMatchObject({ error: 'INVALID_FILE' });
  expect(await refusalOf(ticketId, { ranges: [{ from: 1, to: 2 }] })).toMatchObject({ error: 'NOT_FOUND' });
  expect(await refusalOf(raceId, { ranges: [{ from: 2, to: 1 }] })).toMatchObject({
    ...{ error: 'REFUSED', message: expect.stringContaining('ranges[0].to') },
  });
  const { answer } = await cli.run('race', 'bib-plan', raceId, 'nothing.json');
  expect(answer.error).toBe('INVALID_FILE');
});
