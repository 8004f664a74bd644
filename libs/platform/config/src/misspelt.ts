import { distance } from 'fastest-levenshtein';
import { declarations } from './settings';

const NAMES = Object.keys(declarations);

/** Shorter names, such as HOME and HOST, are similar by chance. */
const SHORTEST = 8;
const MOST_MISTAKES = 2;

/** What to say about variables that nearly have the name of a setting, and so have no effect. */
export function misspeltSettings(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(env)
    .filter((name) => name.length >= SHORTEST && !NAMES.includes(name))
    .flatMap((name) => {
      const meant = NAMES.find((each) => distance(name, each) <= MOST_MISTAKES);
      return meant ? [`${name} is not a setting; did you mean ${meant}?`] : [];
    });
}
