import { isCurrency } from './amounts';
import type { DateOrder } from './dates';
import { unitOf } from './distances';
import type { Kind } from './field';

/** The number of a participant may follow. */
const IN_BRACKETS = /^(.*\S)\s*[([]\s*([^()[\]]+?)\s*[)\]]\s*(\d{0,2})$/u;
const BEHIND_IN = /^(.*\S)\s+in\s+(\S+)$/iu;
const DAY = '(?:dd?|tt?|jj?)';
const YEAR = '(?:yy(?:yy)?|jj(?:jj)?|aa(?:aa)?)';
const BETWEEN = '[-./ ]';
const PATTERNS: [pattern: RegExp, order?: DateOrder][] = [
  [new RegExp(`^${DAY}${BETWEEN}mm?${BETWEEN}${YEAR}$`, 'i'), 'dmy'],
  [new RegExp(`^mm?${BETWEEN}${DAY}${BETWEEN}${YEAR}$`, 'i'), 'mdy'],
  [new RegExp(`^${YEAR}${BETWEEN}mm?${BETWEEN}${DAY}$`, 'i')],
];

/** What the name of a column says about its values: `Distanz (km)`, `Price [EUR]`, `Betrag in €`, `Date of birth (DD/MM/YYYY)`. */
export function unitIn(column: string): { name: string; unit: string } | undefined {
  const [, name, unit, number = ''] = IN_BRACKETS.exec(column.trim()) ?? BEHIND_IN.exec(column.trim()) ?? [];
  return name && unit ? { name: name + number, unit } : undefined;
}

/** The currency of the amounts, or the unit of the distances, of a column, as its name has it. A sign can be that of several. */
export function unitFor(kind: Kind, column: string): string | undefined {
  const unit = unitIn(column)?.unit ?? '';
  if (kind === 'amount') return isCurrency(unit) ? unit : undefined;
  return kind === 'distance' ? unitOf(unit) : undefined;
}

const EXAMPLE = /^(?:e\.? ?g\.|z\. ?b\.|p\. ?ex\.|ex\.|ej\.)/i;
/** Whether the name of a column ends with the way in which its values are written, as a pattern of dates or an example. */
export const hasPattern = (kind: Kind, column: string): boolean =>
  EXAMPLE.test(unitIn(column)?.unit ?? '') || (/^date/.test(kind) && patternOf(column) !== undefined);

/** The order of day and month that the name of a column says. */
export const orderInName = (column: string): DateOrder | undefined => patternOf(column)?.[1];

function patternOf(column: string) {
  const unit = unitIn(column)?.unit ?? '';
  return PATTERNS.find(([pattern]) => pattern.test(unit));
}
