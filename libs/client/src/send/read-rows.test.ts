import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
