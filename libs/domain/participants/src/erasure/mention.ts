const ALNUM = '[:alnum:]';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The names of a person. */
export interface Names {
  firstName: string | null;
  lastName: string | null;
}

/** Shorter names are words of other texts. */
const SHORTEST_NAME = 2;
/** As texts have it, and as JSON has it. */
const spelledBy = (text: string): string[] => [
  ...new Set(
    [text, text.normalize('NFC'), text.normalize('NFD')].flatMap((spelling) => [
      spelling,
      JSON.stringify(spelling).slice(1, -1),
    ]),
  ),
];

/** Finds whole full names, in either order, ignoring case. */
function fullNamesOf(names: readonly Names[]): { patterns: string[]; likely: string[] } {
  const pairs = names.flatMap(({ firstName, lastName }) => {
    const [first = '', last = ''] = [firstName?.trim(), lastName?.trim()];
    if (first.length < SHORTEST_NAME || last.length < SHORTEST_NAME) return [];
    const lasts = spelledBy(last);
    return spelledBy(first).flatMap((one) => lasts.map((other) => [one, other] as const));
  });
  return {
    patterns: pairs.flatMap(([first, last]) => [
      `${escaped(first)}[[:space:]]+${escaped(last)}`,
      `${escaped(last)},?[[:space:]]+${escaped(first)}`,
    ]),
    likely: pairs.flatMap(([first, last]) => {
      const [one, other] = [likeEscaped(first), likeEscaped(last)];
      return [`%${one}%${other}%`, `%${other}%${one}%`];
    }),
  };
}

/**
 * Finds addresses in text, in JSON and in URLs. It only finds whole addresses: `ada@example.com` is not found in
 * `lovelace.ada@example.com`. The result is the parameter of `mentions` and `withoutMention`: a regular expression, and
 * patterns for LIKE that exclude most texts in a tenth of the time.
 *
 * @param emails results of `normalizeEmail`
 * @param names whose full names are found too
 */
export function mentionOf(emails: readonly string[], names: readonly Names[] = []): string[] {
  return patternOf(emails, '._%+-', '_-', fullNamesOf(names));
}

/**
 * Finds addresses in ids of the person's own records, where a hyphen or underscore separates parts: `order-ada@example.com-1`.
 * Elsewhere it could be another person's address.
 */
export const mentionInIdsOf = (emails: readonly string[]): string[] => patternOf(emails, '.%+', '');

function patternOf(
  emails: readonly string[],
  notBefore: string,
  notAfter: string,
  names: ReturnType<typeof fullNamesOf> = { patterns: [], likely: [] },
): string[] {
  // In a URL, with or without the @ as it is.
  const inUrl = (email: string) => encodeURIComponent(email).replace('%40', '@').toLowerCase();
  const spellings = [
    ...new Set(emails.flatMap((email) => [email, email.normalize('NFD'), inUrl(email)])),
  ].map((email) => JSON.stringify(email).slice(1, -1));
  if (spellings.length === 0 && names.patterns.length === 0) return ['(?!)'];
  const addresses = spellings.map((spelling) => escaped(spelling).replace('@', '(?:@|%40)'));
  // In JSON a line break is written as \n; its letter is not part of the address.
  const before = `(?:(?<![${ALNUM}${notBefore}])|(?<=\\\\[bfnrt]))`;
  const after = `(?![${ALNUM}${notAfter}]|\\.[${ALNUM}])`;
  const likely = spellings.flatMap((spelling) => {
    const text = likeEscaped(spelling);
    return [`%${text}%`, `%${text.replace('@', '\\%40')}%`];
  });
  const found = [...addresses, ...names.patterns].join('|');
  return [`${before}(?:${found})${after}`, ...likely, ...names.likely];
}

/**
 * SQL: whether the expression mentions an address of `parameter` (from `mentionOf`). CASE fixes the order of evaluation. The patterns
 * are in the small letters of the database, once for a statement: JavaScript has others for İ and for Σ at the end of a word.
 */
export const mentions = (expression: string, parameter: string): string =>
  `CASE WHEN lower(${expression}) LIKE ANY (ARRAY(SELECT lower(likely) FROM unnest((${parameter}::text[])[2:]) likely))
    THEN ${expression} ~* (${parameter}::text[])[1] ELSE false END`;

/** SQL: the expression without the address. The replacement differs by row, because ids must stay unique. */
export const withoutMention = (expression: string, parameter: string): string =>
  `regexp_replace(${expression}, (${parameter}::text[])[1], 'redacted-' || left(gen_random_uuid()::text, 8), 'gi')`;
