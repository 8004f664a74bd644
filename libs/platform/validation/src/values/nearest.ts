import { distance } from 'fastest-levenshtein';

/** Longer names are never compared: a request can contain many. */
const LONGEST = 100;
/** The permitted typing errors, as a share of the characters of a name. */
const TOLERANCE = 1 / 4;

/** `race.startDate` is `race`, `start`, `date`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** The words that follow each other in a name, joined: `start date` and `date` are parts of `race.startDate`. */
function partsOf(name: string): string[] {
  const words = wordsOf(name);
  return words.flatMap((_, from) =>
    words.slice(from).map((_, at) => words.slice(from, from + at + 1).join('')),
  );
}

/** The known name that has a part most similar to the name; of several, the first. `undefined` if none is similar. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const given = wordsOf(name).join('');
  let best: { name: string; mistakes: number } | undefined;
  for (const each of known) {
    const mistakes = Math.min(...partsOf(each).map((part) => distance(given, part)));
    if (mistakes <= given.length * TOLERANCE && mistakes < (best?.mistakes ?? Number.POSITIVE_INFINITY))
      best = { name: each, mistakes };
  }
  return best?.name;
}
