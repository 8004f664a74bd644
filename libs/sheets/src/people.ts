/** The parts of a name. A person can have one name only. */
export interface PersonName {
  firstName: string;
  lastName: string;
}
export type NameOrder = 'first' | 'last';

const PARTICLES =
  /^(?:van|von|vom|zu|zur|de|del|della|da|di|do|dos|das|du|des|der|den|ter|ten|la|le|el|al|bin|ibn|af|av)$/i;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|phd|md|dr)\.?$/i;
const isCapitals = (word: string) =>
  /\p{Lu}.*\p{Lu}/u.test(word) && !/\p{Ll}/u.test(word) && !word.includes('.');
/** Whether capitals show a last name: two alone can be initials, as in `JJ`. */
const showLast = (words: string[]) =>
  words.every(isCapitals) && words.some((word) => word.length > 2 && !SUFFIX.test(word));

const GAP = /\s{2,}/;
/** Whether a wide gap may be between the parts of a name. */
export const mayHaveGap = (text: string): boolean => !/\s/.test(text) || text.split(GAP).length === 2;
const inOrders = (front: string, back: string): Record<NameOrder, PersonName> => ({
  first: { firstName: front, lastName: back },
  last: { firstName: back, lastName: front },
});

/**
 * Splits a whole name: "Lovelace, Ada", "LOVELACE Ada", "Ada LOVELACE"; other names have two readings.
 *
 * @param byGap all names of the column have a wide gap, which is between their parts; of one alone, nothing is certain
 */
export function splitName(
  text: string,
  byGap?: true,
): PersonName | Record<NameOrder, PersonName> | undefined {
  const [front = '', back, ...further] = text.split(GAP);
  const isGapped = back !== undefined && further.length === 0;
  if (byGap && isGapped) {
    const orders = inOrders(front, back);
    const [isFront, isBack] = [front, back].map((part) => showLast(part.split(' ')));
    return isFront === isBack ? orders : orders[isFront ? 'last' : 'first'];
  }
  const parts = text.split(',').map((part) => part.trim());
  const [before = '', after = ''] = parts;
  if (parts.length > 2 || (parts.length === 2 && (!before || !after || SUFFIX.test(after)))) return undefined;
  if (parts.length === 2) return { firstName: after, lastName: before };
  const words = before.split(/\s+/);
  if (words.length === 1) return { firstName: before, lastName: '' };
  if (SUFFIX.test(words.at(-1) ?? '')) return undefined;
  const join = (from: number, to?: number) => words.slice(from, to).join(' ');
  const capitals = words.map(isCapitals);
  const [start, end] = [capitals.indexOf(false), capitals.lastIndexOf(false)];
  if (showLast(words.slice(0, start)) && !capitals.includes(true, start))
    return { firstName: join(start), lastName: join(0, start) };
  if (end >= 0 && showLast(words.slice(end + 1)) && !capitals.slice(0, end).includes(true))
    return { firstName: join(0, end + 1), lastName: join(end + 1) };
  if (isGapped && words.length > 2) return undefined;
  const particle = words.findIndex((word, i) => i > 0 && i < words.length - 1 && PARTICLES.test(word));
  const behind = particle > 0 ? particle : words.length - 1;
  const upTo = words.findIndex((word) => !PARTICLES.test(word)) + 1 || 1;
  return {
    first: { firstName: join(0, behind), lastName: join(behind) },
    last: { firstName: join(upTo), lastName: join(0, upTo) },
  };
}
