import { plain } from '#libs/sheets';
import { RESOLUTION_TYPES } from '#platform/database';
import { SPORT_DISCIPLINES } from '../../shapes.dto';
import type { Target } from './columns';

const UNITS: Record<string, string[]> = {
  KM: ['km', 'k', 'kilometer', 'kilometers', 'kilometre', 'kilometres'],
  MI: ['mi', 'mile', 'miles', 'meile', 'meilen'],
  M: ['m', 'meter', 'meters', 'metre', 'metres'],
  YD: ['yd', 'yard', 'yards'],
  MIN: ['min', 'minute', 'minutes', 'minuten'],
};
const unitOf = (text: string): string | undefined =>
  Object.keys(UNITS).find((unit) => UNITS[unit]?.includes(plain(text)));

const CONSTANTS: Partial<Record<Target, readonly string[]>> = {
  'race.discipline': SPORT_DISCIPLINES,
  'ticket.approval': RESOLUTION_TYPES,
};

/** A discipline, unit or approval as the catalogue has it: `Road cycling`, `Kilometer`. Other texts stay as they are. */
export function constantOf(target: Target, text: string): string {
  const known =
    target === 'race.distance.unit'
      ? unitOf(text)
      : CONSTANTS[target]?.find((each) => plain(each) === plain(text));
  return known ?? text;
}

const WITH_UNIT = /^([\d.,]*\d)\s*(\p{L}+\.?)$/u;

/** `10,5 km` as its number and its unit. */
export function distanceIn(text: string): { number: string; unit: string } | undefined {
  const [, number = '', word = ''] = WITH_UNIT.exec(text) ?? [];
  const unit = unitOf(word);
  return unit ? { number, unit } : undefined;
}
