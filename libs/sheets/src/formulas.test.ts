import { array as arrayOf, assert, asyncProperty, constantFrom, oneof, property, string } from 'fast-check';
import { lineOf, MARK, safe, unsafe } from './formulas';
import { readSheet } from './read-sheet';

/** Texts of what spreadsheets evaluate, separators, quotes, leading zeros and emoji. */
const text = oneof(
  string({ unit: 'binary', maxLength: 12 }),
  arrayOf(constantFrom(...'=+-@＝\'";|,\t\n\r\u0085\u2028\u2029 07Aä🏃'), { maxLength: 10 }).map((letters) =>
    letters.join(''),
  ),
  constantFrom(
    "'+49 151 23456789",
    '007',
    "O'Neil",
    '=SUM(A1)',
    'a;=1',
    "''=1",
    '-5',
    '-5;=1',
    '1.045,00',
    '\uFEFFx',
  ),
).map((given) => given.replaceAll('\uFFFD', ''));

it('writes exactly one apostrophe before what a spreadsheet evaluates, and takes exactly one off', () => {
  assert(
    property(text, (given) => unsafe(safe(given)) === given),
    { numRuns: 10_000 },
  );
  const written = ['=1+1', "'=1+1", 'a;+1', '-5', '-12,5', '-1,2,3', "O'Neil"].map(safe);
  expect(written).toEqual(["'=1+1", "''=1+1", "a;'+1", '-5', '-12,5', "'-1,2,3", "O'Neil"]);
});

it('reads every text of a file of ours as it was, whatever its delimiter', async () => {
  await assert(
    asyncProperty(
      arrayOf(arrayOf(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
      constantFrom(',', ';', '\t'),
      async (rows, delimiter) => {
        const head = [MARK, 'Name', '=Formula', 'Note'];
        const file = [head, ...rows.map((cells) => ['x', ...cells])]
          .map((cells) => lineOf(cells, delimiter))
          .join('');
        const sheet = await readSheet(new TextEncoder().encode(`\uFEFF${file}`));
        expect(sheet).toMatchObject({ ours: true, columns: head });
        expect(sheet.rows.map(({ cells, broken }) => [broken, ...cells.slice(1)])).toEqual(
          rows.map((cells) => [undefined, ...cells]),
        );
      },
    ),
    { numRuns: 200 },
  );
});

it('reads a file of ours with more columns than others may have', async () => {
  const read = (first: string, many = 1_000) => {
    const questions = Array.from({ length: many }, (_, i) => `answer.${i}`);
    return readSheet(new TextEncoder().encode(lineOf([first, ...questions])));
  };
  expect((await read(MARK)).columns).toHaveLength(1_001);
  await expect(read(MARK, 1_100)).rejects.toMatchObject({ code: 'TOO_MANY_COLUMNS' });
  await expect(read('Name')).rejects.toMatchObject({ code: 'TOO_MANY_COLUMNS' });
});

it('reads the apostrophes of other files as they are', async () => {
  const sheet = await readSheet(new TextEncoder().encode("Phone,Name\n'+49 151,'=Ada\n"));
  expect(sheet.rows[0]?.cells).toEqual(["'+49 151", "'=Ada"]);
});
