import { type Candidate, plain } from './match-values';

const WORDS: Record<string, string[]> = {
  KM: ['km', 'k', 'kilometer', 'kilometers', 'kilometre', 'kilometres'],
  MI: ['mi', 'mile', 'miles', 'meile', 'meilen'],
  M: ['m', 'meter', 'meters', 'metre', 'metres'],
  YD: ['yd', 'yard', 'yards'],
  MIN: ['min', 'minute', 'minutes', 'minuten'],
};
const KILOMETERS: Record<string, number> = { KM: 1, MI: 1.609_344, M: 0.001, YD: 0.000_914_4 };

/** A distance that a cell has; without a unit, that of its column or row is meant. */
export interface Distance {
  value: number;
  unit?: string;
}

/** The units with the words for them. */
export const UNITS: readonly Candidate[] = Object.entries(WORDS).map(([id, names]) => ({ id, names }));

/** The unit that a word means. */
export const unitOf = (text: string): string | undefined =>
  UNITS.find(({ names }) => names.includes(plain(text)))?.id;

const WITH_UNIT = /^([\d.,]*\d)\s*(\p{L}+\.?)$/u;

/** `10,5 km` as its number and its unit. */
export function distanceIn(text: string): { number: string; unit: string } | undefined {
  const [, number = '', word = ''] = WITH_UNIT.exec(text) ?? [];
  const unit = unitOf(word);
  return unit ? { number, unit } : undefined;
}

/** `100M` is 100 miles on a trail, and 100 meters on a track. */
export const isMetersOrMiles = (text: string): boolean => /\d\s*M$/.test(text);

/** Of a time, nothing is known. */
export const kilometersOf = ({ value, unit = 'KM' }: Distance): number => value * (KILOMETERS[unit] ?? 0);
