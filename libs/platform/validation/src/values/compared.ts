/**
 * What the spellings of the same thing have in common (docs/interface.md#comparing). Nothing else in the code normalizes
 * what is compared. `compared()` and `compared_name()` of the schema, which are written from the same tables, do the same
 * in SQL.
 */

/** The characters of ranges such as `a-z`, or of single characters, separated by spaces. Numbers are hexadecimal. */
const charactersOf = (ranges: string): string[] =>
  ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map((point) => Number.parseInt(point, 16));
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
  });

/** White space, and characters that show nothing. Listed, so that no version of Unicode changes them. */
export const UNSEEN = charactersOf(
  '1-20 7f-a0 ad 34f 61c 115f-1160 1680 17b4-17b5 180b-180f 2000-200f 2028-202f 205f-206f 2800 3000 3164 fe00-fe0f ' +
    'feff ffa0 fff9-fffb 1d173-1d17a e0001 e0020-e007f e0100-e01ef',
);

/** Those of them that separate words: what `\s` matches in JavaScript. */
export const WHITE_SPACE = charactersOf('9-d 20 a0 1680 2000-200a 2028-2029 202f 205f 3000 feff');

/** Characters of full and of half width. */
export const WIDE = charactersOf(
  'ff01-ffbe ffc2-ffc7 ffca-ffcf ffd2-ffd7 ffda-ffdc ffe0-ffe6 ffe8-ffee 3000',
);

/** The same characters in their ordinary width, in the same order. */
export const ORDINARY = [
  ...charactersOf('21-7e 2985-2986'),
  ...'。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン',
  ...charactersOf('3099-309a 3164 3131-3163'),
  ...'¢£¬¯¦¥₩│←↑→↓■○ ',
];

/** Letters that others have in place of one letter. */
export const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ẞ: 'ss', İ: 'i\u0307' };

const isOne = (text: string): boolean =>
  text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length;

/**
 * The small letter of a letter, by which Unicode compares letters one by one (simple case folding). The Turkish `ı` is
 * not an `i`. Ligatures and superscripts stay as they are.
 */
export function smallLetter(letter: string): string {
  if (letter === 'ı') return letter;
  const capital = letter.toUpperCase();
  const small = (isOne(capital) ? capital : letter).toLowerCase();
  return isOne(small) ? small : letter;
}

const unseen = new Set(UNSEEN);
const ordinary = new Map(WIDE.map((wide, i) => [wide, ORDINARY[i] ?? wide]));

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);
const characterBefore = (text: string, end: number): string => {
  const last = characterAt(text, Math.max(end - 2, 0));
  return last.length === 2 ? last : text.charAt(end - 1);
};

/** Without white space and invisible characters at both ends. In linear time. */
export function trimmed(text: string): string {
  let begin = 0;
  let end = text.length;
  for (let first = ''; begin < end; begin += first.length) {
    first = characterAt(text, begin);
    if (!unseen.has(first)) break;
  }
  for (let last = ''; begin < end; end -= last.length) {
    last = characterBefore(text, end);
    if (!unseen.has(last)) break;
  }
  return text.slice(begin, end);
}

/** Bibs and codes: `compared('Ａ７７ ') === compared('a77')`. */
export function compared(text: string): string {
  const given = trimmed(text);
  if (/^[ -~]*$/.test(given)) return given.toLowerCase();
  return Array.from(given.normalize('NFC'), (character) => {
    const letter = ordinary.get(character) ?? character;
    return LETTERS[letter] ?? smallLetter(letter);
  })
    .join('')
    .normalize('NFC');
}

/** Names of teams and people, in which white space only separates words: `comparedName('Road  Runners') === comparedName('road runners')`. */
export const comparedName = (text: string): string => compared(text).replace(/\s+/g, ' ');

/** Of a person, either of whose names can be empty: `fullName('Ada ', 'LOVELACE') === fullName('ada lovelace', null)`. */
export const fullName = (first: string | null | undefined, last: string | null | undefined): string =>
  comparedName([first, last].join(' '));
