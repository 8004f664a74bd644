import { countryOf, plain } from '#libs/sheets';

const UNITS: Record<string, string[]> = {
  KM: ['km', 'k', 'kilometer', 'kilometers', 'kilometre', 'kilometres'],
  MI: ['mi', 'mile', 'miles', 'meile', 'meilen'],
  M: ['m', 'meter', 'meters', 'metre', 'metres'],
  YD: ['yd', 'yard', 'yards'],
  MIN: ['min', 'minute', 'minutes', 'minuten'],
};

/** The unit that a word means. */
export const unitOf = (text: string): string | undefined =>
  Object.keys(UNITS).find((unit) => UNITS[unit]?.includes(plain(text)));

const WITH_UNIT = /^([\d.,]*\d)\s*(\p{L}+\.?)$/u;

/** `10,5 km` as its number and its unit. */
export function distanceIn(text: string): { number: string; unit: string } | undefined {
  const [, number = '', word = ''] = WITH_UNIT.exec(text) ?? [];
  const unit = unitOf(word);
  return unit ? { number, unit } : undefined;
}

/** Where distances are in miles, `100M` is 100 miles on a trail. */
const MILES = ['US', 'GB'];

export const isMetersOrMiles = (text: string, country: string): boolean =>
  /\dM$/.test(text.replace(/\s/g, '')) && (!country || MILES.includes(countryOf(country)?.id ?? ''));
