import { plain } from './match-values';

/** Genders as people write them, for options that are named in English. */
export const GENDERS: Record<string, string[]> = {
  FEMALE: [
    ...['f', 'w', 'female', 'weiblich', 'woman', 'women', 'frau', 'femme'],
    ...['féminin', 'feminin', 'féminine', 'mujer', 'nő'],
  ],
  MALE: [
    ...['m', 'h', 'male', 'männlich', 'maennlich', 'man', 'men', 'mann', 'herr'],
    ...['homme', 'masculin', 'hombre', 'férfi'],
  ],
};

/** A gender in the words of the form's options: only if one of the options is that gender. */
export function genderOf(text: string, options: readonly string[]): string | undefined {
  const given = text.trim().toLowerCase();
  const same = options.find((option) => option.toLowerCase() === given);
  if (same) return same;
  const [gender] = Object.entries(GENDERS).find(([, words]) => words.includes(given)) ?? [];
  const meant = options.filter((option) => GENDERS[gender ?? '']?.includes(option.toLowerCase()));
  return meant.length === 1 ? meant[0] : undefined;
}

/** What a letter is in words: the names of the readings are the letters of men and women. */
const LETTERS: Record<string, Record<string, string>> = {
  MF: { m: 'male', f: 'female' },
  HM: { h: 'male', m: 'female' },
  FN: { f: 'male', n: 'female' },
};
/** Names of columns whose language has one reading of its letters. */
const HEADERS: Record<string, string[]> = {
  MF: ['gender', 'sex', 'geschlecht', 'sexe', 'genre', 'mw', 'wm', 'mf', 'fm', 'mwd'],
  HM: ['sexo', 'genero'],
  FN: ['nem'],
};

/** M and F have other meanings in Spanish and in Hungarian. */
export const isLetterOpen = (text: string): boolean => /^[mf]$/i.test(text.trim());
export const wordOfLetter = (text: string, way: string | undefined): string =>
  LETTERS[way ?? '']?.[text.trim().toLowerCase()] ?? text;

/** What the letters of a column prove together with its name; undefined if they leave it open. */
export function lettersIn(texts: readonly string[], column: string): string | undefined {
  const letters = new Set(texts.map((text) => text.trim().toLowerCase()));
  const named = Object.keys(HEADERS).find((way) =>
    HEADERS[way]?.some((name) => plain(column) === name || plain(column).endsWith(`participants0${name}`)),
  );
  const fits = (way: string) => [...letters].filter(isLetterOpen).every((letter) => LETTERS[way]?.[letter]);
  if (letters.has('h') && letters.has('m')) return named === 'HM' && fits(named) ? named : undefined;
  if (letters.has('n') && letters.has('f')) return named === 'FN' && fits(named) ? named : undefined;
  const others = [...letters].filter((text) => text.length === 1 && !/[mfwdx]/.test(text));
  const isUsual = letters.has('m') && letters.has('f') !== letters.has('w') && others.length === 0;
  return isUsual || named === 'MF' ? 'MF' : undefined;
}
