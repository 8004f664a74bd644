import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workbook } from '../../../sheets/src';
import { fileOptionsOf } from './flags';
import { openSource } from './read-rows';

const folder = mkdtempSync(join(tmpdir(), 'read-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'list.csv');
writeFileSync(path, Buffer.from('Id,Name\n1,H\xe9l\xe8ne\n', 'latin1'));

it('refuses a table that leaves something open, with the option that answers it', async () => {
  await expect(openSource(path)).rejects.toMatchObject({
    code: 'UNDECIDED',
    message: expect.stringMatching(/Use --encoding: windows-1252: Hélène; windows-1250: Hélčne/),
  });
  const { sheet } = await openSource(path, { encoding: 'windows-1250' });
  expect(sheet?.rows[0]?.cells).toEqual(['1', 'Hélčne']);
});

it('asks a person, who may give no answer', async () => {
  const asked: string[][] = [];
  const choosing = (at: number | undefined) => ({
    confirm: async () => false,
    enter: async () => undefined,
    choose: async (question: string, choices: readonly string[]) => {
      asked.push([question, ...choices]);
      return at;
    },
  });
  const { sheet } = await openSource(path, { terminal: choosing(0) });
  expect(sheet?.rows[0]?.cells).toEqual(['1', 'Hélène']);
  expect(asked).toEqual([
    [expect.stringContaining('encoding is not certain'), 'windows-1252: Hélène', 'windows-1250: Hélčne'],
  ]);
  await expect(openSource(path, { terminal: choosing(undefined) })).rejects.toMatchObject({
    code: 'UNDECIDED',
  });
});

it('finds a sheet by a name of digits before its number', async () => {
  const years = join(folder, 'years.xlsx');
  const sheets = Object.fromEntries(['2027', '3', 'Old'].map((name) => [name, [['Id'], [name]]]));
  // The keys of an object are sorted if they are numbers: 3, 2027, Old.
  writeFileSync(years, workbook(sheets));
  const read = async (sheet: string) =>
    (await openSource(years, fileOptionsOf({ sheet }))).sheet?.rows[0]?.cells;
  expect([await read('2027'), await read('3'), await read('Old')]).toEqual([['2027'], ['3'], ['Old']]);
  expect([await read('1'), await read('2')]).toEqual([['3'], ['2027']]);
  await expect(read('4')).rejects.toMatchObject({ message: expect.stringContaining('no sheet "4"') });
});
