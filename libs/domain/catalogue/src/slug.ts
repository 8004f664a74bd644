/** Letters and digits of any script, joined by single hyphens; at most 100 characters. */
export const SLUG = '^[\\p{L}\\p{M}\\p{N}]+(?:-[\\p{L}\\p{M}\\p{N}]+)*$';
export const SLUG_LENGTH = 100;

/** More than a title may have. Normalization takes the square of the length of a run of combining marks. */
const LONGEST_TITLE = 1_000;
const MARKS = /[®™©℠]/gu;
const ACCENTS = /[\u0300-\u036f]/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * The slug of a title: without accents, capitals, punctuation and trade marks, in the script of the title. Empty if
 * the title has neither letters nor digits.
 */
export const slugOf = (title: string): string =>
  title
    .slice(0, LONGEST_TITLE)
    .replace(MARKS, '')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(BETWEEN_WORDS, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');

const pattern = new RegExp(SLUG, 'u');
export const isSlug = (text: string): boolean => text.length <= SLUG_LENGTH && pattern.test(text);
