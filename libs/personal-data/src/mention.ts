const ALNUM = '[:alnum:]';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * What finds the addresses in text, in JSON as it is written, and in URLs: whole addresses only, so that
 * `ada@example.com` is not found in `lovelace.ada@example.com`. It is the parameter of `mentions` and `withoutMention`: a
 * regular expression, and patterns for LIKE that rule out most texts in a tenth of its time.
 *
 * @param emails as `normalizeEmail` gives them; none find nothing
 */
export function mentionOf(emails: readonly string[]): string[] {
  const spellings = [...new Set(emails.flatMap((email) => [email, email.normalize('NFD')]))].map((email) =>
    JSON.stringify(email).slice(1, -1),
  );
  if (spellings.length === 0) return ['(?!)'];
  const addresses = spellings.map((spelling) => escaped(spelling).replace('@', '(?:@|%40)'));
  // In JSON a line break is \n: its letter is not a part of the address.
  const before = `(?:(?<![${ALNUM}._%+-])|(?<=\\\\[bfnrt]))`;
  const after = `(?![${ALNUM}_-]|\\.[${ALNUM}])`;
  const likely = spellings.flatMap((spelling) => {
    const text = likeEscaped(spelling);
    return [`%${text}%`, `%${text.replace('@', '\\%40')}%`];
  });
  return [`${before}(?:${addresses.join('|')})${after}`, ...likely];
}

/** SQL: whether the expression has what `parameter`, of `mentionOf`, finds. CASE keeps the planner to this order. */
export const mentions = (expression: string, parameter: string): string =>
  `CASE WHEN lower(${expression}) LIKE ANY ((${parameter}::text[])[2:])
    THEN ${expression} ~* (${parameter}::text[])[1] ELSE false END`;

/** SQL: the expression without it; another replacement in each row, as ids must stay unique. */
export const withoutMention = (expression: string, parameter: string): string =>
  `regexp_replace(${expression}, (${parameter}::text[])[1], 'redacted-' || left(gen_random_uuid()::text, 8), 'gi')`;
