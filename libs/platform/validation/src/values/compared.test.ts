import { compared, comparedName, ORDINARY, trimmed, WIDE } from './compared';
import { isEmail, normalizeEmail } from './emails';

it('pairs each wide character with one of ordinary width', () => {
  expect(ORDINARY).toHaveLength(WIDE.length);
  expect(compared('１５０１')).toBe('1501');
  expect(compared('ﾗﾝﾅｰ')).toBe('ランナー');
  expect(compared('ｶﾞｿﾘﾝ')).toBe(compared('ガソリン'));
  expect(compared('ﾡￜ￦￭￮')).toBe('ㄱㅣ₩■○');
});

it('trims white space and invisible characters, and nothing else', () => {
  for (const unseen of [
    ' ',
    '\t\n',
    '\u00a0',
    '\u200b\u200d',
    '\ufeff',
    '\u2066',
    '\u00ad',
    '\u{e0041}',
    '\ufe0f',
    '\u3164',
    '\u2800',
  ])
    expect(trimmed(`${unseen}A ${unseen}7${unseen}`)).toBe(`A ${unseen}7`);
  for (const seen of ['', 'ß', 'é', '👟', '\ud83d', '𐐀 𐐀']) expect(trimmed(` ${seen} `)).toBe(seen);
  expect(trimmed(' \u200b\u{e0041} ')).toBe('');
});

it('takes linear time', () => {
  const long = `a${' \u200b'.repeat(2_000_000)}b`;
  expect(compared(`${long} `).length).toBe(long.length);
});

it.each([
  ['capitals and small letters', ['A77', 'a77', 'Ａ７７']],
  ['composed and decomposed letters', ['É', 'é', 'e\u0301']],
  ['ß and ss', ['Straße', 'STRASSE', 'STRAẞE', 'strasse']],
  ['the letters of a Greek word', ['ΟΔΟΣ', 'οδος', 'οδοσ']],
  ['the capital of a Turkish word', ['İzmir', 'i̇zmir']],
  ['the micro sign and the letter', ['µ', 'μ', 'Μ']],
])('takes %s for the same', (_, spellings) => {
  for (const spelling of spellings) expect(compared(spelling)).toBe(compared(spellings[0] ?? ''));
});

it.each([
  ['a ligature from its letters', ['ﬁ', 'fi']],
  ['a superscript from a digit', ['2', '²', '٢', '②']],
  ['letters with and without an accent', ['e', 'é']],
  ['the dotless i from the i', ['ı', 'i', 'I\u0307']],
  ['one space from two', ['A 1', 'A  1', 'A1']],
  ['a text with an invisible character inside', ['A1', 'A\u200b1']],
])('distinguishes %s', (_, spellings) => {
  expect(new Set(spellings.map(compared)).size).toBe(spellings.length);
});

it('takes runs of white space in names for one', () => {
  for (const spelling of [
    'road runners',
    'Road  Runners',
    ' ROAD\u00a0\t Runners\u200b',
    'Ｒｏａｄ　Runners',
  ])
    expect(comparedName(spelling)).toBe('road runners');
});

it('compares emails in lower case, with every letter kept', () => {
  expect(normalizeEmail(' \u200bAda@Example.COM\ufeff')).toBe('ada@example.com');
  expect(normalizeEmail('Strau\u00df@x.de')).toBe('strauß@x.de');
  expect(normalizeEmail('E\u0301@x.de')).toBe('é@x.de');
});

it.each([
  ...[
    ['a@b', true],
    ['a@b.c', true],
    ['a.b..c@d.e', true],
    ['a@münchen.de', true],
    ['a@[::1]', true],
  ],
  ...[
    ['a@b..c', false],
    ['a@.b', false],
    ['a@b.', false],
    ['a@.', false],
    ['@b', false],
    ['a@', false],
    ['a@b@c', false],
  ],
  ...[
    ['mailto:a@b.c', false],
    ['MailTo:a@b.c', false],
    ['a b@c.d', false],
    [`a@${'b'.repeat(260)}`, false],
  ],
] as [string, boolean][])('judges the address %s', (email, is) => {
  expect(isEmail(email)).toBe(is);
});
