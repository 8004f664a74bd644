import { plain } from '#libs/sheets';
import { RESOLUTION_TYPES } from '#platform/validation';
import { SPORT_DISCIPLINES } from '../../shapes.dto';
import type { Target } from './columns';
import { unitOf } from './distances';

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
