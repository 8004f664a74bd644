import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsOf } from './rows';

const folder = mkdtempSync(join(tmpdir(), 'startline-csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string | Buffer): Promise<unknown[]> {
  const path = join(folder, 'races.csv');
  writeFileSync(path, text);
  const found: unknown[] = [];
  for await (const row of rowsOf(path, undefined, () => {})) if (!('columns' in row)) found.push(row);
  return found;
}
const HEADER = 'event.title,race.title,race.startDate\n';

it('reads rows with quotes, line breaks and a byte order mark, and skips empty lines', async () => {
  expect(await read(`\uFEFF${HEADER}"City, Run",10K,2027-05-01\n\n"Two\nlines",5K,2027-05-02\n`)).toEqual([
    { row: 2, cells: ['City, Run', '10K', '2027-05-01'] },
    { row: 5, cells: ['Two\nlines', '5K', '2027-05-02'] },
  ]);
});

it('reports rows with a wrong number of columns, and rows that are not UTF-8', async () => {
  const text = Buffer.concat([
    Buffer.from(`${HEADER}A,B\nC,`),
    Buffer.from([0xff]),
    Buffer.from(',2027-05-01\n'),
  ]);
  expect(await read(text)).toEqual([
    { problem: { row: 2, field: '', message: 'has 2 columns instead of 3' } },
    { problem: { row: 3, field: '', message: 'is not UTF-8' } },
  ]);
});

it.each([
  ['', 'The file has no header.'],
  ['event.title,town\n', 'These columns are not known: "town". Rename them'],
  ['event.title,event.title\n', 'The file has the column "event.title" twice.'],
])('refuses the header %j', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});
