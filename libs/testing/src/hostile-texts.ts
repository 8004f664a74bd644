/** Texts of about that many characters on which formats, patterns, normalization and copies can be slow. */
export const HOSTILE_TEXTS: Record<string, (characters: number) => string> = {
  letters: (length) => 'a'.repeat(length),
  blanks: (length) => ' '.repeat(length),
  'combining marks': (length) => `a${'\u0301\u0323'.repeat(length / 2)}`,
  'joined emoji': (length) => '👩‍'.repeat(length / 3),
  ligatures: (length) => 'ﷺ'.repeat(length),
  'unpaired surrogates': (length) => '\ud83c'.repeat(length),
  'nested quotes': (length) => '"\\'.repeat(length / 2),
  'apostrophes and formulas': (length) => "'=".repeat(length / 2),
  'a host without ASCII': (length) => `https://${'é'.repeat(length)}.example.com`,
  // The cost of IDNA grows with the square of the number of different characters.
  'a host of many characters': (length) => `https://${different(length)}`,
  'a host of many labels': (length) => `https://${'a.'.repeat(length / 2)}`,
  'percent signs': (length) => `https://example.com/${'%'.repeat(length)}`,
  'an address of many labels': (length) => `a@${'a.'.repeat(length / 2)}`,
  'many addresses': (length) => 'a@'.repeat(length / 2),
  'a date with blanks': (length) => `2026-05-04T09:30:00${' '.repeat(length)}x`,
  digits: (length) => '1'.repeat(length),
  'words of a search': (length) => 'a b '.repeat(length / 4),
};

const different = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7) % 20_000))).join('');
