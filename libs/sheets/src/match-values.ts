import { distance } from 'fastest-levenshtein';

/** A record that a text of the file can name. */
export interface Candidate {
  id: string;
  /** Its title, slug and other names. */
  names: string[];
  /** For people; by default its first name. */
  label?: string;
  /** The occurrence that it belongs to: rows of another one do not mean it. */
  of?: string;
  /** Of a ticket. */
  currencyCode?: string;
  /** Of an occurrence: its first day. */
  startDate?: string | null;
}

/** The records that texts can name, by the name of the property: `ticketId`, `waveId`. */
export type Lookups = Record<string, readonly Candidate[] | undefined>;

export interface Match {
  text: string;
  /** What a mapping calls the text: with the occurrence of its rows, where several are meant. */
  key: string;
  /** Rows with the text. */
  count: number;
  /** The occurrence of its rows. */
  of?: string;
  /** The record that has exactly this name, or that a person has confirmed. */
  id?: string;
  /** The record with the most similar name, for a person to confirm. */
  close?: string;
}

/** No name has more characters. Normalization takes the square of the length of a run of combining marks. */
const LONGEST_NAME = 500;

/** Without case, accents, punctuation and spaces; the beginning of a text that is too long for a name. */
export const plain = (text: string): string =>
  text
    .slice(0, LONGEST_NAME)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');

const same = (text: string) =>
  text.length > LONGEST_NAME ? text : text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The names of a record as they are compared, which are made once. */
const forms = new WeakMap<Candidate, { same: Set<string>; plain: string[] }>();
function formsOf(candidate: Candidate) {
  const { id, names } = candidate;
  const own = forms.get(candidate) ?? { same: new Set([id, ...names].map(same)), plain: names.map(plain) };
  forms.set(candidate, own);
  return own;
}

/** The record with exactly this name, without regard to case and spaces; none if several have it. */
export function exactly(text: string, candidates: readonly Candidate[]): Candidate | undefined {
  const own = candidates.find(({ id }) => id === text);
  if (own) return own;
  const wanted = same(text);
  const found = candidates.filter((each) => formsOf(each).same.has(wanted));
  return found.length === 1 ? found[0] : undefined;
}

/** At least so much of the letters of similar names is the same. */
const SIMILAR = 0.66;
function likenessOf(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  const isPossible = Math.min(one.length, other.length) >= SIMILAR * longest;
  return isPossible ? 1 - distance(one, other) / longest : 0;
}

/** The record whose name is most similar: at least two thirds of the letters are the same, and no other is as similar. */
export function closest(text: string, candidates: readonly Candidate[]): Candidate | undefined {
  const wanted = plain(text);
  if (!wanted) return undefined;
  let best: Candidate | undefined;
  let [likeness, next] = [0, 0];
  for (const candidate of candidates) {
    let own = 0;
    for (const name of formsOf(candidate).plain) own = Math.max(own, likenessOf(wanted, name));
    next = Math.max(next, Math.min(own, likeness));
    if (own > likeness) [best, likeness] = [candidate, own];
  }
  return likeness >= SIMILAR && likeness > next ? best : undefined;
}
