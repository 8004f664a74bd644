import fc from 'fast-check';
import type { Client } from 'pg';
import { type TestDatabase, testDatabase, withDatabase } from '#libs/testing';
import { compared, comparedName, trimmed } from '#platform/validation';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ours = (text: string) => ({
  trimmed: trimmed(text),
  compared: compared(text),
  name: comparedName(text),
});

const theirs = async (client: Client, texts: string[]) =>
  (
    await client.query({
      text: `SELECT trimmed(given), compared(given), compared_name(given) AS name
        FROM unnest($1::text[]) WITH ORDINALITY u (given, place) ORDER BY place`,
      values: [texts],
    })
  ).rows;

const differing = async (texts: string[]) =>
  withDatabase(database.url, async (client) => {
    const rows = await theirs(client, texts);
    return texts.flatMap((text, i) =>
      JSON.stringify(ours(text)) === JSON.stringify(rows[i])
        ? []
        : [{ text, ours: ours(text), theirs: rows[i] }],
    );
  });

/** Without the tens of thousands that have neither capitals, widths nor accents. */
const CHARACTERS = [
  [1, 0x33ff],
  [0xa000, 0xaeff],
  [0xf8ff, 0xffff],
  [0x10000, 0x11fff],
  [0x1d000, 0x1ffff],
  [0xe0000, 0xe01ff],
]
  .flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
  .map((point) => String.fromCodePoint(point));

const ODD = [
  ...'AaB \t\u00a0\u3000\ufeff\u200b\u2060\ufe0f\u{e0041}\u00adßẞİıiI',
  ...'ﬁ²٣ΣςσſÅKΩµᾈᾀᎠꭰ𐐀Ａａ１',
  ...'ｶﾞﾟガﾡ가\u1100\u1161\u0301\u0307\u0323\u0345éE👟\u200d',
  '  ',
  'ss',
];

it('compares every character as the schema does', async () => {
  expect(await differing(CHARACTERS)).toEqual([]);
  expect(await differing(CHARACTERS.map((each) => ` x${each} ${each}Y${each}`))).toEqual([]);
});

it('compares texts of odd characters as the schema does, and a second time to the same', async () => {
  const texts = fc.sample(fc.array(fc.constantFrom(...ODD), { maxLength: 12 }), { numRuns: 6_000, seed: 1 });
  const joined = texts.map((parts) => parts.join(''));
  expect(await differing(joined)).toEqual([]);
  const again = joined.filter((text) => compared(compared(text)) !== compared(text));
  expect(again).toEqual([]);
});

it('compares in the same way with every collation of the database', async () => {
  await withDatabase(database.url, async (client) => {
    const { rows } = await client.query(
      `SELECT compared(given COLLATE "C") AS c, compared(given COLLATE "unicode") AS icu, compared(given) AS own
       FROM unnest($1::text[]) given`,
      [['ÉCOLE', 'İstanbul', 'ΟΔΟΣ', 'Ａ77']],
    );
    for (const { c, icu, own } of rows) expect([c, icu]).toEqual([own, own]);
  });
});
