const ALNUM = '[:alnum:]';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * Finds addresses in text, in JSON and in URLs. It only finds whole addresses: `ada@example.com` is not found in
 * `lovelace.ada@example.com`. The result is the parameter of `mentions` and `withoutMention`: a regular expression, and
 * patterns for LIKE that exclude most texts in a tenth of the time.
 *
 * @param emails results of `normalizeEmail`
 */
export function mentionOf(emails: readonly string[]): string[] {
  const spellings = [...new Set(emails.flatMap((email) => [email, email.normalize('NFD')]))].map((email) =>
    JSON.stringify(email).slice(1, -1),
  );
  if (spellings.length === 0) return ['(?!)'];
  const addresses = spellings.map((spelling) => escaped(spelling).replace('@', '(?:@|%40)'));
  // In JSON a line break is written as \n; its letter is not part of the address.
  const before = `(?:(?<![${ALNUM}._%+-])|(?<=\\\\[bfnrt]))`;
  const after = `(?![${ALNUM}_-]|\\.[${ALNUM}])`;
  const likely = spellings.flatMap((spelling) => {
    const text = likeEscaped(spelling);
    return [`%${text}%`, `%${text.replace('@', '\\%40')}%`];
  });
  return [`${before}(?:${addresses.join('|')})${after}`, ...likely];
}

/** SQL: whether the expression mentions an address of `parameter` (from `mentionOf`). CASE fixes the order of evaluation. */
export const mentions = (expression: string, parameter: string): string =>
  `CASE WHEN lower(${expression}) LIKE ANY ((${parameter}::text[])[2:])
    THEN ${expression} ~* (${parameter}::text[])[1] ELSE false END`;

/** SQL: the expression without the address. The replacement differs by row, because ids must stay unique. */
export const withoutMention = (expression: string, parameter: string): string =>
  `regexp_replace(${expression}, (${parameter}::text[])[1], 'redacted-' || left(gen_random_uuid()::text, 8), 'gi')`;
