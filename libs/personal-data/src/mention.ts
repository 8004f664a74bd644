const ALNUM = '[:alnum:]';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/**
 * A regular expression of PostgreSQL that finds the addresses in text, in JSON as it is written, and in URLs: whole
 * addresses only, so that `ada@example.com` is not found in `lovelace.ada@example.com`. Use it with `~*`.
 *
 * @param emails as `normalizeEmail` gives them
 * @returns null, which matches nothing, where there are none
 */
export function mentionOf(emails: readonly string[]): string | null {
  const spellings = new Set(
    emails
      .flatMap((email) => [email, email.normalize('NFD')])
      .map((email) => JSON.stringify(email).slice(1, -1)),
  );
  if (spellings.size === 0) return null;
  const addresses = [...spellings].map((spelling) => escaped(spelling).replace('@', '(?:@|%40)'));
  // In JSON a line break is \n: its letter is not a part of the address.
  const before = `(?:(?<![${ALNUM}._%+-])|(?<=\\\\[bfnrt]))`;
  const after = `(?![${ALNUM}_-]|\\.[${ALNUM}])`;
  return `${before}(?:${addresses.join('|')})${after}`;
}

/** SQL: the expression without what `pattern` finds; another replacement in each row, as ids must stay unique. */
export const withoutMention = (expression: string, pattern: string): string =>
  `regexp_replace(${expression}, ${pattern}, 'redacted-' || left(gen_random_uuid()::text, 8), 'gi')`;
