import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { sendCommand } from '../../libs/client/src/send/command';
import { breaksOff, type Fault, faultyProxy, says } from '../client/faulty-proxy';
import { eventually, sharedApi, type TestApi } from '../harness';

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await sharedApi();
  folder = mkdtempSync(join(tmpdir(), 'startline-watch-'));
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const credits = async () => {
  const sql = `SELECT external_credit_id AS id, amount_value::int AS amount FROM credits WHERE organization_id = $1 ORDER BY 1`;
  const rows: { id: string; amount: number }[] = await api.dataSource.query(sql, [api.organizationId]);
  return rows.map(({ id, amount }) => `${id} ${amount}`);
};

it('import send --watch sends the file whenever it has changed, and goes on after one that it refuses', async () => {
  const file = join(folder, 'credits.csv');
  const header = 'externalCreditId;email;amount;amount.currencyCode\n';
  const row = (id: string, amount: string) => `${id};ada@example.com;${amount};GBP\n`;
  writeFileSync(file, header + row('c-1', '25,00'));
  const notes: string[] = [];
  const ended = new AbortController();
  const watching = sendCommand({
    ...{ surface: 'credits', file, url: api.url, key: api.token, watch: true, yes: true },
    signal: ended.signal,
    note: (line) => {
      // Saved while the file is sent, or just before it is watched again.
      if (notes.length === 0) writeFileSync(file, header + row('c-0', '10,00') + row('c-1', '25,00'));
      notes.push(line);
    },
  }).catch((error: Error) => error.name);
  const waits = (times: number) =>
    eventually(async () => notes.filter((line) => line.includes('Waiting for changes')).length >= times);
  await waits(2);
  expect(await credits()).toEqual(['c-0 1000', 'c-1 2500']);

  // As a spreadsheet saves: a new file takes the place of the old one.
  writeFileSync(`${file}.new`, header + row('c-1', '25,00') + row('c-2', '1.045,00'));
  renameSync(`${file}.new`, file);
  await waits(3);
  expect(await credits()).toEqual(['c-0 1000', 'c-1 2500', 'c-2 104500']);
  expect(notes.at(-1)).toContain('1 imported, 1 already imported');

  writeFileSync(file, 'Nothing;that;is;known\n1;2;3;4\n');
  await waits(4);
  expect(notes.at(-1)).toContain('No column matches');

  writeFileSync(file, header + row('c-3', '7,50') + row('c-4', 'much'));
  await waits(5);
  expect(await credits()).toEqual(['c-0 1000', 'c-1 2500', 'c-2 104500', 'c-3 750']);
  expect(notes.at(-1)).toContain('1 row failed: 1 INVALID_VALUE');
  ended.abort();
  expect(await watching).toBe('AbortError');
});

it('import send --watch waits for an API that is away, and says what became of each time', async () => {
  const sleep = timers.setTimeout;
  const mocked = jest
    .spyOn(timers, 'setTimeout')
    .mockImplementation((ms = 0, ...given) => sleep(ms / 1_000, ...given));
  const proxy = await faultyProxy(api.url);
  const tries = (fault: Fault) => Array.from({ length: 6 }, () => fault);
  const faults = [...tries(breaksOff), ...tries(says(503)), says(429, { 'retry-after': '700' })];
  proxy.faults.push(...faults.map((fault): [RegExp, Fault] => [/credits\/import\?/, fault]));
  const file = join(folder, 'away.csv');
  writeFileSync(file, 'externalCreditId;email;amount;amount.currencyCode\nw-1;ada@example.com;1,00;GBP\n');
  const notes: string[] = [];
  const values: object[] = [];
  const ended = new AbortController();
  const watching = sendCommand({
    ...{ surface: 'credits', file, url: proxy.url, key: api.token, watch: true, yes: true },
    signal: ended.signal,
    note: (line) => notes.push(line),
    onSent: (value) => values.push(value),
  }).catch((error: Error) => error.name);
  await eventually(async () => values.length === 1);
  const waits = notes.flatMap((line) => /again in (\d+) seconds/.exec(line)?.[1] ?? []);
  expect(waits).toEqual(['30', '30', '700']);
  writeFileSync(file, 'Nothing\n1\n');
  await eventually(async () => values.length === 2);
  expect(values).toMatchObject([{ succeeded: 1, resumed: true }, { error: 'INVALID_FILE' }]);
  ended.abort();
  expect(await watching).toBe('AbortError');
  mocked.mockRestore();
  proxy.close();
});
