import { LETTERS, ORDINARY, smallLetter, UNSEEN, WHITE_SPACE, WIDE } from '#platform/validation';

/** No letter of Unicode that has a capital comes later. */
const LAST_CAPITAL = 0x1ffff;

/** Pairs of letters. Found when they are needed: looking at each character takes a tenth of a second. */
function replacedLetters(): (readonly [string, string])[] {
  const characters = Array.from({ length: LAST_CAPITAL + 1 }, (_, point) => String.fromCodePoint(point));
  const capitals = characters.filter((letter) => smallLetter(letter) !== letter && !(letter in LETTERS));
  return [
    ...WIDE.map((wide, i) => [wide, smallLetter(ORDINARY[i] ?? wide)] as const),
    ...capitals.map((letter) => [letter, smallLetter(letter)] as const),
  ];
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);
const text = (all: readonly string[]): string =>
  `U&'${Array.from(all.join(''), (each) => `\\+${hex(each).padStart(6, '0')}`).join('')}'`;
const set = (all: readonly string[]): string =>
  `[${all.map((each) => `\\U${hex(each).padStart(8, '0')}`).join('')}]`;

/** Letters up to here are composed already, and only the table of these is read for names of most of Europe. */
const LAST_LATIN = '\u024f';

const unseenUpTo = (last: string): string => text(UNSEEN.filter((each) => each <= last));

const withSmallLetters = (given: string, last: string): string => {
  const replaced = replacedLetters().filter(([from]) => from <= last);
  return Object.entries(LETTERS).reduce(
    (all, [letter, others]) => `replace(${all}, ${text([letter])}, ${text([others])})`,
    `translate(${given},
      ${text(replaced.map(([from]) => from))},
      ${text(replaced.map(([, to]) => to))})`,
  );
};

/**
 * In plpgsql, so that the tables are not copied into the plan of each statement. Uses functions of pg_catalog only, because
 * indexes are built without a search path, and no collation of the database, because those differ in their capitals.
 */
const makes = (name: string, form: (given: string) => string) => /* sql */ `
CREATE FUNCTION ${name}(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $body$
BEGIN
  IF octet_length(given) = char_length(given) THEN
    RETURN ${form(`lower(btrim(given, ${unseenUpTo('\x7f')}) COLLATE "C")`)};
  ELSIF given !~ ${text(['[^\u0001-', LAST_LATIN, ']'])} THEN
    RETURN ${form(withSmallLetters(`btrim(given, ${unseenUpTo(LAST_LATIN)})`, LAST_LATIN))};
  END IF;
  RETURN ${form(`normalize(${withSmallLetters(`normalize(btrim(given, ${text(UNSEEN)}), NFC)`, '\uffff')}, NFC)`)};
END $body$`;

/** What `trimmed`, `compared` and `comparedName` do in JavaScript. */
export const comparing = (): string[] => [
  /* sql */ `
CREATE FUNCTION trimmed(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN btrim(given, ${text(UNSEEN)})`,
  makes('compared', (given) => given),
  makes('compared_name', (given) => `regexp_replace(${given}, '${set(WHITE_SPACE)}+', ' ', 'g')`),
];
