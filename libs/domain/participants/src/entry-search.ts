import type { Caller } from '#platform/access';
import { isId } from '#platform/database';
import { type Bind, type Filter, freeText } from '#platform/queries';
import { searchedWords, trimmed } from '#platform/validation';

/** The shortest part of an email before its `@` that finds few participants. */
const SELECTIVE = 3;
const DOMAIN = /([^\s@]*)@\S+/gu;

/** Every word must be a prefix of a word of the entry; for the desk, of the name or bib. Undefined without words. */
export const prefixesOf = (text: string, atDesk: boolean): string | undefined =>
  searchedWords(text)
    .map((ways) => ways.map((word) => `'${word}':*${atDesk ? 'AC' : ''}`).join(' | '))
    .map((ways) => (ways.includes('|') ? `(${ways})` : ways))
    .join(' & ') || undefined;

/** Entries by an id of theirs or of their booking: what other systems and the pages of the console show. */
function namedBy(text: string, bind: Bind, organizationId: string): string {
  const [organization, named, own] = [bind(organizationId), bind(text), bind(isId(text) ? text : null)];
  const entries = (condition: string) =>
    `SELECT id FROM start_list_entries WHERE organization_id = ${organization} AND ${condition}`;
  return `ARRAY(${[
    entries(`id = ${own}::uuid`),
    entries(`participant_id = ${own}`),
    entries(`external_participant_id = ${named}::text`),
    entries(`external_assignment_id = ${named} AND cancelled_at IS NULL`),
    entries(`booking_id = ANY (ARRAY(
      SELECT b.id FROM bookings b WHERE b.organization_id = ${organization} AND b.external_booking_id = ${named}
      UNION SELECT ${own}))`),
  ].join(' UNION ')})`;
}

/**
 * Nearly all participants share the words of email domains, such as `com`. So the index only finds what precedes the `@`, and all words are
 * compared with what it found. The view contains the policy's condition as an ordinary condition, so that this one can use an index.
 */
function found(value: unknown, bind: Bind, { organizationId, role }: Caller): string {
  const text = trimmed(String(value));
  const atDesk = role === 'RACE_DAY';
  const all = prefixesOf(text, atDesk) ?? '';
  const short = text.replace(DOMAIN, (email, local) => (local.length < SELECTIVE ? email : local));
  const index = prefixesOf(short, atDesk) || all;
  const matches = (words: string) => {
    const byWords = `e.search_words @@ ${bind(words)}::tsquery`;
    return atDesk || !all ? byWords : `(${byWords} OR e.id = ANY (${namedBy(text, bind, organizationId)}))`;
  };
  const byIndex = `(SELECT e.* FROM own_start_list_entries e
    WHERE e.organization_id = ${bind(organizationId)} AND e.approval_status = 'APPROVED' AND ${matches(index)} OFFSET 0)`;
  return index === all ? `${byIndex} t` : `(SELECT e.* FROM ${byIndex} e WHERE ${matches(all)}) t`;
}

export const SEARCH: Filter = {
  parameter: freeText(
    'Only participants of whom each word begins a word of the name, bib, email or external id, or with this whole id: of the participant, the application, the booking or the assignment, or that of another system. Case and accents are ignored. At least two characters.',
    { min: 2, max: 100 },
  ),
  finds: found,
};
