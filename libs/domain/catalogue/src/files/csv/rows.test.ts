import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsOf, type TableOptions } from './rows';

const folder = mkdtempSync(join(tmpdir(), 'startline-csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string | Buffer, options: TableOptions = {}): Promise<unknown[]> {
  const path = join(folder, 'races.csv');
  writeFileSync(path, text);
  return (await rowsOf(path, undefined, () => {}, options)).items;
}
const HEADER = 'event.title,race.title,race.startDate\n';

it('reads rows with quotes, line breaks and a byte order mark, and skips empty lines', async () => {
  expect(await read(`\uFEFF${HEADER}"City, Run",10K,2027-05-01\n\n"Two\nlines",5K,2027-05-02\n`)).toEqual([
    { row: 2, cells: ['City, Run', '10K', '2027-05-01'] },
    { row: 4, cells: ['Two\nlines', '5K', '2027-05-02'] },
  ]);
});

it('reports rows with a wrong number of columns, and reads the encoding that is named', async () => {
  const text = Buffer.concat([
    Buffer.from(`${HEADER}A,B\nC,`),
    Buffer.from([0xfc, 0x80]),
    Buffer.from(',2027-05-01\n'),
  ]);
  await expect(read(text)).rejects.toThrow('The encoding is not certain');
  expect(await read(text, { encoding: 'windows-1252' })).toEqual([
    { problem: { row: 2, field: '', message: 'The row has 2 values, and the header 3 columns.' } },
    { row: 3, cells: ['C', 'ü€', '2027-05-01'] },
  ]);
});

it('reads local dates, times, numbers and amounts, and reports those that are not certain', async () => {
  const header = 'Veranstaltung;Rennen;Datum;Startzeit;Distanz;Ticket;Preis;Währung\n';
  expect(
    await read(
      `${header}Harzlauf;10 km;2. Mai 2027;9.30 Uhr;10,5;Erwachsene;1.045,00 €;EUR\nHarzlauf;5 km;02.13.2027;;5;;;\nHarzlauf;1 km;2.5.2027;;1;Kinder;5 £;EUR\n`,
    ),
  ).toEqual([
    { row: 2, cells: ['Harzlauf', '10 km', '2027-05-02', '09:30:00', '10.5', 'Erwachsene', '104500', 'EUR'] },
    {
      problem: { row: 3, field: 'Datum', message: '"02.13.2027" must be a date, best as YYYY-MM-DD' },
    },
    { problem: { row: 4, field: 'Preis', message: '"5 £" is not in EUR' } },
  ]);
  await expect(read(`${HEADER}A,B,03/04/2027\n`)).rejects.toThrow(
    'Column "race.startDate": "03/04/2027" may have day and month reversed. Use --date-order dmy',
  );
});

it.each([
  ['', 'The file is empty.'],
  ['event.title,village\n', 'These columns are not known: "village". Rename them'],
  ['event.title,event.title\n', 'The file has the column "event.title" twice.'],
])('refuses the header %j', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

it('guesses neither thousands nor miles nor a currency', async () => {
  const header = 'Veranstaltung;Rennen;Datum;Distanz;Land;Preis\n';
  await expect(read(`${header}A;1;2.5.2027;42.195 km;DE;\nA;2;2.5.2027;10,5 km;DE;\n`)).rejects.toThrow(
    'Column "Distanz": "42.195" may have thousands or decimals. Use --decimal . or --decimal ,',
  );
  const found = await read(
    `${header}A;1;2.5.2027;100M;USA;\nA;2;2.5.2027;100M;DE;\nA;3;2.5.2027;10 km;SE;500 kr\n`,
  );
  expect(found).toMatchObject([
    { problem: { field: 'Distanz', message: '"100M" must have m or mi: M may be meters or miles' } },
    { row: 3, cells: ['A', '2', '2027-05-02', '100', 'DE', ''] },
    { problem: { field: 'Preis', message: expect.stringContaining('is not in a known currency') } },
  ]);
});
