/** Letters without an accent to take off, and what people type for them. */
export const TYPED: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ŋ: 'n' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
};

/** Letters that people also type as two. */
export const AS_TWO: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

const replaced = (text: string, letters: Readonly<Record<string, string>>): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => letters[letter] ?? letter);

/** As people type it in a search: small letters without accents. `entry_words()` of the schema does the same. */
const typed = (text: string): string =>
  replaced(
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase(),
    TYPED,
  );

/** Vowel signs are parts of words, as in the schema. */
const wordsOf = (text: string): string[] =>
  typed(text)
    .split(/[^\p{Alphabetic}\p{N}]+/u)
    .filter(Boolean);

/** At the end of a word, the schema has σ for a capital, and a small letter as it is. */
const withSigmas = (word: string): string[] => [word.replace(/ς$/, 'σ'), word.replace(/σ$/, 'ς')];

/** The words of a search, each in the ways that it can be stored: `müller` is `muller` and `mueller`. */
export function searchedWords(text: string): string[][] {
  const asTwo = wordsOf(replaced(text.normalize('NFC').toLowerCase(), AS_TWO));
  return wordsOf(text).map((word, i) => [...new Set([word, asTwo[i] ?? word].flatMap(withSigmas))]);
}
