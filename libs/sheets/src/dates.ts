import { plain } from './match-values';

/** The order of day, month and year in dates such as 3/4/1990. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';
export type Century = '1900' | '2000';

interface Parts {
  year: number;
  month: number;
  day: number;
}

/** How the dates of a column are written, and the last day that one can be. */
export interface DateStyle {
  dateOrder?: DateOrder;
  century?: Century;
  latest?: string;
}

/** A date that was read, or what leaves it open, with the date in each reading. */
export type DateReading =
  | { date: string }
  | { open: 'dateOrder' | 'century'; dates: Record<string, string> }
  /** It exists in another order than that of its column only. */
  | { contradicts: DateOrder }
  | undefined;

/** In English, German and French, also short; in other languages the whole names are read. */
const MONTHS = [
  'january januar jänner janvier jan jän janv',
  'february februar feber février feb févr fév',
  'march märz maerz mars mar mär mrz',
  'april avril apr avr',
  'may mai',
  'june juni juin jun',
  'july juli juillet jul juil',
  'august août aug',
  'september septembre sep sept',
  'october oktober octobre oct okt',
  'november novembre nov',
  'december dezember décembre dec dez déc',
];
const LANGUAGES =
  'es it pt gl ca ro nl sv da nb is fi et lv lt pl cs sk sl hr sr hu tr sq el ru uk be bg mk eu ga';
let months: Map<string, number> | undefined;

/** The number of a month by its name, also as a part of a date; 0 for a name of two months, as `listopada` is. */
function monthOf(name: string): number {
  months ??= monthsByName();
  return months.get(plain(name)) ?? 0;
}

function monthsByName(): Map<string, number> {
  const found = new Map<string, number>();
  const add = (name: string, month: number) =>
    found.set(plain(name), (found.get(plain(name)) ?? month) === month ? month : 0);
  for (const [at, names] of MONTHS.entries()) for (const name of names.split(' ')) add(name, at + 1);
  for (const language of LANGUAGES.split(' ')) {
    const [alone, inDate] = [{ month: 'long' } as const, { dateStyle: 'long' } as const].map(
      (style) => new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }),
    );
    for (const at of MONTHS.keys())
      for (const format of [alone, inDate])
        for (const { type, value } of format?.formatToParts(Date.UTC(2027, at, 15)) ?? [])
          if (type === 'month') add(value, at + 1);
  }
  return found;
}

const ISO = /^(\d{4})([-/._])(\d{1,2})\2(\d{1,2})$/;
const NUMERIC = /^(\d{1,2})([./_-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/;
const IN_SIGNS = /^(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]$/;
const NAMED =
  /^(\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?[ -]*(?:de )?(\p{L}+\.?)(?: del?)?[ ,-]*(\d{4}|\d{2})\.?$/u;
const NAMED_FIRST = /^(\p{L}+\.?) *(\d{1,2})(?:st|nd|rd|th)?(?:, *| +)(\d{4})$/u;
const WEEKDAY = /^(?:mo|di|mi|do|fr|sa|so|mon|tue|wed|thu|fri|sat|sun)\p{L}*\.?,?\s+(?=\d)/iu;

const two = (number: number) => String(number).padStart(2, '0');
const lastOf = (month: number, year: number): number => {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
};
const isoOf = ({ year, month, day }: Parts): string | undefined =>
  month >= 1 && month <= 12 && day >= 1 && day <= lastOf(month, year)
    ? `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
    : undefined;

const reading = (date: string | undefined): DateReading => (date ? { date } : undefined);

/** The days that a text with two digits of a year can be, by century; with four digits, there is one. */
function centuriesOf(year: string, day: Omit<Parts, 'year'>, latest = '9999'): Record<string, string> {
  const years = year.length === 4 ? [Number(year)] : [1900 + Number(year), 2000 + Number(year)];
  const dates: Record<string, string> = {};
  for (const each of years) {
    const date = isoOf({ ...day, year: each });
    if (date && (year.length === 4 || date <= latest)) dates[`${date.slice(0, 2)}00`] = date;
  }
  return dates;
}

function inCentury(dates: Record<string, string>, century: Century | undefined): DateReading {
  const all = Object.values(dates);
  if (all.length < 2) return reading(all[0]);
  return century ? reading(dates[century]) : { open: 'century', dates };
}

/**
 * The days that a date in digits can be, by order and century. Between dots it is day, month, year everywhere; a day between other signs
 * may come second, and a year of two digits may come first.
 */
function ordersOf(text: string, latest?: string): [DateOrder, Record<string, string>][] {
  const [, a = '', sign, b = '', c = ''] = NUMERIC.exec(text) ?? [];
  if (!sign) return [];
  const parts: [DateOrder, year: string, month: string, day: string][] = [
    ['dmy', c, b, a],
    ...(sign === '.' ? [] : ([['mdy', c, a, b]] as [DateOrder, string, string, string][])),
    ...(sign === '.' || c.length === 4 || a.length !== 2
      ? []
      : ([['ymd', a, b, c]] as [DateOrder, string, string, string][])),
  ];
  return parts
    .map(([order, year, month, day]): [DateOrder, Record<string, string>] => [
      order,
      centuriesOf(year, { month: Number(month), day: Number(day) }, latest),
    ])
    .filter(([, dates]) => Object.keys(dates).length > 0);
}

const firstOf = (dates: Record<string, string>): string => Object.values(dates)[0] ?? '';

/** Reads a date. Two digits of a year are certain if only one century is possible: dates of birth, which are not after `latest`. */
export function readDate(given: string, { dateOrder, century, latest }: DateStyle = {}): DateReading {
  const text = given.trim().replace(WEEKDAY, '').replace(IN_SIGNS, '$1-$2-$3');
  const iso = ISO.exec(text);
  if (iso) return reading(isoOf({ year: Number(iso[1]), month: Number(iso[3]), day: Number(iso[4]) }));
  if (NUMERIC.test(text)) {
    const orders = ordersOf(text, latest);
    const own = orders.find(([order]) => order === dateOrder);
    const [only] = orders;
    if (own) return inCentury(own[1], century);
    if (!only) return undefined;
    if (orders.every(([, dates]) => firstOf(dates) === firstOf(only[1]))) {
      const against = dateOrder && orders.length === 1 && !text.includes('.') && only[0] !== 'ymd';
      return against && dateOrder !== 'ymd' ? { contradicts: dateOrder } : inCentury(only[1], century);
    }
    if (dateOrder) return { contradicts: dateOrder };
    const dates = Object.fromEntries(orders.map(([order, each]) => [order, firstOf(each)]));
    return { open: 'dateOrder', dates };
  }
  const [, day = '', name = '', last = ''] = NAMED.exec(text) ?? [];
  if (day) return inCentury(centuriesOf(last, { month: monthOf(name), day: Number(day) }, latest), century);
  const first = NAMED_FIRST.exec(text);
  return first
    ? reading(isoOf({ year: Number(first[3]), month: monthOf(first[1] ?? ''), day: Number(first[2]) }))
    : undefined;
}

/** Which order the date of a text in digits proves. A day that does not exist proves nothing. */
export function orderIn(given: string): DateOrder | undefined {
  const text = dayIn(given);
  const orders = ordersOf(text);
  return orders.length === 1 && !text.includes('.') ? orders[0]?.[0] : undefined;
}

const dayIn = (given: string): string => {
  const split = splitInstant(given);
  return split && 'day' in split ? split.day.trim().replace(WEEKDAY, '') : '';
};

/** How a date in digits is written: its sign, the length of its year and its time, and whether short numbers have a zero. */
function formOf(given: string): { form: string; zeros?: boolean } | undefined {
  const [day, a = '', sign, b = '', c = ''] = NUMERIC.exec(dayIn(given)) ?? [];
  if (!day || !sign) return undefined;
  const time = given
    .replace(day, '')
    .replace(/\d/g, '')
    .replace(/[ap](?=\.?m)/i, '');
  const hasZero = a.startsWith('0') || b.startsWith('0');
  return {
    form: `${sign}${c.length}${time}`,
    ...((hasZero || a.length + b.length < 4) && { zeros: hasZero }),
  };
}

/** Tells of which dates another one of the column, written in the same form, proves the order. */
export function provenIn(texts: readonly string[]): (text: string) => boolean {
  const zeros = new Map<string, Set<boolean>>();
  const proven = new Map<string, Set<boolean | undefined>>();
  for (const text of texts) {
    const written = formOf(text);
    if (!written) continue;
    const { form } = written;
    if (written.zeros !== undefined) zeros.set(form, (zeros.get(form) ?? new Set()).add(written.zeros));
    if (orderIn(text)) proven.set(form, (proven.get(form) ?? new Set()).add(written.zeros));
  }
  return (text) => {
    const { form = '', zeros: own } = formOf(text) ?? {};
    const by = proven.get(form);
    return by !== undefined && ((zeros.get(form)?.size ?? 0) < 2 || by.has(own));
  };
}

const TIME =
  /^(\d{1,2})(?:(?:[:.]| ?h ?)(\d{2}))?(?:[:.](\d{2}))?(?:[.,]0+)?\s*(?:(am|pm|a\.m\.|p\.m\.)|uhr|h)?$/i;

/** `9:30`, `09:30:00`, `9.30 Uhr`, `9h30`, `9 h 30`, `9:30 pm` as `09:30:00`. */
export function readTime(given: string): string | undefined {
  const text = given.trim();
  const [, hours = '', minutes, seconds = '0', half] = TIME.exec(text) ?? [];
  if (!hours || (minutes === undefined && !half && !/uhr|h$/i.test(text))) return undefined;
  let hour = Number(hours);
  if (half) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  if (hour > 23 || Number(minutes ?? 0) > 59 || Number(seconds) > 59) return undefined;
  return `${two(hour)}:${two(Number(minutes ?? 0))}:${two(Number(seconds))}`;
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,9})?))?\s?(?:(Z)|([+-]\d{2}):?(\d{2}))?$/i;

/** `2027-05-01 09:00` as `2027-05-01T09:00:00`, and `+0200` as `+02:00`; undefined for other texts. */
function instantOf(text: string): string | undefined {
  const [whole, day, minutes, seconds = '00', utc, hours, offset] = INSTANT.exec(text) ?? [];
  return whole && `${day}T${minutes}:${seconds}${utc ? 'Z' : ''}${hours ? `${hours}:${offset}` : ''}`;
}

const DAY_AND_TIME = /^(.+?\d{2})(?:,? +(?:um |at |à )?|T)(\d{1,2}(?:[:.h]\d{2}.*| ?(?:[ap]m|uhr|h)))$/i;

/** The day and the time of a text such as `31.12.2026, 14:05`. */
export function splitInstant(text: string): { day: string; time: string } | { instant: string } | undefined {
  const given = text.trim();
  const instant = instantOf(given);
  if (instant) return { instant };
  const [, day = '', time = ''] = DAY_AND_TIME.exec(given) ?? [];
  if (!day) return { day: given, time: '00:00:00' };
  const read = readTime(time);
  return read ? { day, time: read } : undefined;
}
