import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { SIGNING_SECRETS } from '#libs/testing';
import { type CommandLine, commandLine } from '../cli/startline';
import { expectCountsRight } from '../faults/recount';
import { eventually, startApi, type TestApi } from '../harness';
import { type StartLists, startLists } from './fixture';

const MAIN = resolve(__dirname, '../../apps/cli/src/main.ts');

let api: TestApi;
let cli: CommandLine;
beforeAll(async () => {
  api = await startApi();
  cli = await commandLine(api.databaseUrl);
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

/** Starts a command in a separate process, which the test kills. */
function start(...words: string[]): ChildProcess {
  return spawn(process.execPath, ['-C', 'source', '-r', '@swc-node/register', MAIN, ...words], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: api.databaseUrl,
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    },
    stdio: 'ignore',
  });
}

const countOf = async (sql: string, organizationId: string): Promise<number> =>
  (await api.dataSource.query(sql, [organizationId]))[0].count;
const bookings = ({ organizationId }: StartLists) =>
  countOf('SELECT count(*)::int FROM bookings WHERE organization_id = $1', organizationId);

/** Kills the command after the count has changed. */
async function killInTheMiddle(child: ChildProcess, count: () => Promise<number>): Promise<number> {
  const ended = once(child, 'exit');
  const before = await count();
  const reached = await eventually(async () => {
    const now = await count();
    return (now > before || child.exitCode !== null) && now;
  });
  child.kill('SIGKILL');
  await ended;
  return reached;
}

const ROWS = 10_000;
const linesOf = (lists: StartLists, given: (n: number) => object = () => ({})) =>
  Array.from({ length: ROWS }, (_, n) =>
    JSON.stringify(lists.row(`order-${n}`, { participants: [lists.participant(given(n))] })),
  ).join('\n');

describe('start-list load of 10,000 lines', () => {
  it('ends in the same state when it is killed twice and run again', async () => {
    const [killed, whole] = [await startLists(api, cli), await startLists(api, cli)];
    const given = (n: number) => ({ bibNumber: String(n + 1), tags: [`t${n % 7}`] });
    const file = cli.file('killed.jsonl', linesOf(killed, given));
    for (let kills = 0; kills < 2; kills++) {
      const child = start('start-list', 'load', file, '--organization', killed.slug);
      const reached = await killInTheMiddle(child, () => bookings(killed));
      expect(reached).toBeGreaterThan(0);
      expect(await bookings(killed)).toBeLessThan(ROWS);
    }
    const loaded = await bookings(killed);
    const { answer } = await cli.run('start-list', 'load', file, '--organization', killed.slug);
    expect(answer).toMatchObject({
      rows: ROWS,
      created: ROWS - loaded,
      unchanged: loaded,
      updated: 0,
      failed: 0,
    });
    await whole.load(linesOf(whole, given));
    const bare = (state: object[]) =>
      JSON.parse(JSON.stringify(state), (name, value) => (name === 'id' ? '' : value));
    expect(bare(await killed.state())).toEqual(bare(await whole.state()));
  });

  it('keeps only one chunk of them, and all ids, in memory', async () => {
    const lists = await startLists(api, cli);
    // 20 MB of rows.
    const file = cli.file(
      'large.jsonl',
      linesOf(lists, () => ({ applicationNotes: 'x'.repeat(2_000) })),
    );
    const { code, answer } = await cli.spawn(
      ['--max-old-space-size=100'],
      ...['start-list', 'load', file, '--organization', lists.slug],
    );
    expect([code, answer]).toMatchObject([0, { created: ROWS, failed: 0 }]);
    const again = await cli.spawn(
      ['--max-old-space-size=100'],
      ...['start-list', 'load', file, '--organization', lists.slug],
    );
    expect([again.code, again.answer]).toMatchObject([0, { unchanged: ROWS, updated: 0, failed: 0 }]);
  });

  it('writes in short transactions, and two concurrent loads create no duplicates', async () => {
    const lists = await startLists(api, cli);
    const file = cli.file('twice.jsonl', linesOf(lists).split('\n').slice(0, 2_000).join('\n'));
    const answers = await Promise.all(
      [1, 2].map(() => cli.run('start-list', 'load', file, '--organization', lists.slug)),
    );
    expect(answers.map(({ answer }) => answer.failed)).toEqual([0, 0]);
    const [one, two] = answers.map(({ answer }) => answer);
    expect(one.created + two.created).toBe(2_000);
    expect(one.unchanged + two.unchanged).toBe(2_000);
    expect(await bookings(lists)).toBe(2_000);
    const [{ transactions }] = await api.dataSource.query(
      'SELECT count(DISTINCT xmin::text)::int AS transactions FROM bookings WHERE organization_id = $1',
      [lists.organizationId],
    );
    expect(transactions).toBeGreaterThanOrEqual(2);
  });
});

describe('ballot draw', () => {
  it('ends in the same state when it is killed twice and run again', async () => {
    const lists = await startLists(api, cli);
    const pending = (n: number) => ({ ticketId: lists.ballot.id, approvalStatus: 'PENDING', tags: [`${n}`] });
    const rows = linesOf(lists, pending).split('\n').slice(0, 3_000).join('\n');
    expect((await lists.load(rows)).answer.created).toBe(3_000);
    const words = ['ballot', 'draw', lists.ballot.id, '--seed', 'killed', '--places', '1000'];
    const decided = () =>
      countOf(
        `SELECT count(*)::int FROM start_list_entries WHERE organization_id = $1 AND approval_status <> 'PENDING'`,
        lists.organizationId,
      );
    for (let kills = 0; kills < 2; kills++) {
      await killInTheMiddle(start(...words), decided);
      expect(await decided()).toBeLessThan(3_000);
    }
    const { answer: other } = await cli.run(...words.map((word) => (word === 'killed' ? 'other' : word)));
    expect(other).toMatchObject({ error: 'REFUSED', message: expect.stringContaining('seed "killed"') });
    const { code, answer } = await cli.run(...words);
    expect([code, answer]).toMatchObject([
      0,
      { name: 'Draw 1', applications: 3_000, drawn: 1_000, notDrawn: 2_000, decided: 0, full: 0 },
    ]);
    const drawn: { id: string }[] = await api.dataSource.query(
      `SELECT id FROM start_list_entries WHERE organization_id = $1 AND approval_status = 'APPROVED'
         AND ballot_draw = 'Draw 1'`,
      [lists.organizationId],
    );
    const lots: { id: string }[] = await api.dataSource.query(
      `SELECT id FROM start_list_entries WHERE organization_id = $1
       ORDER BY sha256(convert_to('killed/' || id, 'UTF8')) LIMIT 1000`,
      [lists.organizationId],
    );
    expect(new Set(drawn.map(({ id }) => id))).toEqual(new Set(lots.map(({ id }) => id)));
    const [{ events }] = await api.dataSource.query(
      `SELECT count(*)::int AS events FROM ballot_draws WHERE organization_id = $1`,
      [lists.organizationId],
    );
    expect(events).toBe(1);
  });
});

it('all counters are correct afterwards', async () => {
  await expectCountsRight(api.dataSource);
});
