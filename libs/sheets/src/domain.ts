import { COUNTRIES } from './countries';
import { type Distance, kilometersOf } from './distances';
import { kindOf, type SheetField } from './field';

/** What values of a field usually are. Others are asked about: they may be right. */
interface Domain {
  path: RegExp;
  words: string;
  /** @param today the day of the race, of ages */
  has(value: unknown, today: string, text: string): boolean;
}

/** The day some years before or after a day. */
const inYears = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`;
const ageOn = (day: string, birth: string): number =>
  Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - Number(day.slice(5) < birth.slice(5));
const days = (path: RegExp, words: string, from: number, to: number): Domain => ({
  ...{ path, words },
  has: (value, today) =>
    String(value).slice(0, 10) >= inYears(today, from) && String(value).slice(0, 10) <= inYears(today, to),
});
const numbers = (path: RegExp, words: string, from: number, to: number): Domain => ({
  ...{ path, words },
  has: (value) => Number(value) >= from && Number(value) <= to,
});

const DOMAINS: Domain[] = [
  {
    path: /countryName$/,
    // Programs for statistics write it.
    words: 'a country by another name than NA, which may mean no answer',
    has: (_value, _today, text) => !/^na$/i.test(text),
  },
  {
    path: /dateOfBirth$/,
    words: 'a person of 1 to 100 years on race day',
    has: (value, day) => ageOn(day, String(value)) >= 1 && ageOn(day, String(value)) <= 100,
  },
  days(/bookedAt$/, 'a day of the last ten years', -10, 1),
  days(/(startDateTime|endDateTime|expiresAt)$/, 'a day from last year to ten years ahead', -1, 10),
  days(/race\.startDate$/, 'a day from last year to six years ahead', -1, 6),
  {
    // Others are those of finishing.
    path: /race\.startTime$/,
    words: 'a time in whole minutes',
    has: (value) => String(value).endsWith(':00'),
  },
  {
    path: /distance\.value$/,
    words: 'a distance of up to 1,200 km',
    has: (value) => (value as Distance).value > 0 && kilometersOf(value as Distance) <= 1_200,
  },
  numbers(/(^|\.)(price|originalPrice|unitPrice)$/, 'an amount from 0 to 5,000', 0, 500_000),
  numbers(/discount\.amount$/, 'a percentage from 0 to 100', 0, 100),
  numbers(/(^|\.)quantity$/, 'a number from 1 to 1,000', 1, 1_000),
  {
    path: /(^|\.)tags$/,
    words: 'tags with semicolons between them',
    has: (value) => !Array.isArray(value) || value.every((tag) => !/[,/\n]/.test(tag)),
  },
  {
    path: /bibNumber$/,
    words: 'a bib such as 1042, A-17 or 12b',
    has: (value) => /^\p{L}{0,5}[- ]?\d{1,6}[- ]?\p{L}{0,3}$/u.test(String(value)),
  },
];

/** A question for a country can have any path. */
const pathOf = ({ path, options }: SheetField) => (options === COUNTRIES ? 'countryName' : path);

/** The values that a field usually has. Amounts are in minor units. */
export const domainOf = (field: SheetField): Domain | undefined =>
  kindOf(field) === 'minor' ? undefined : DOMAINS.find(({ path }) => path.test(pathOf(field)));
