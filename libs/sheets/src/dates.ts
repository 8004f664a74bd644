/** The order of day and month in dates such as 3/4/1990. */
export type DateOrder = 'dmy' | 'mdy';

interface Parts {
  year: number;
  month: number;
  day: number;
}

/** A date that was read; `undecided` if day and month could be reversed; `century` if the year has two digits. */
type Reading = { date: string } | { undecided: Record<DateOrder, string> } | 'century' | undefined;

const MONTHS: string[][] = [
  ['january', 'januar', 'jänner', 'janvier', 'jan', 'jän', 'janv'],
  ['february', 'februar', 'feber', 'février', 'fevrier', 'feb', 'févr', 'fevr', 'fév'],
  ['march', 'märz', 'maerz', 'mars', 'mar', 'mär', 'mrz'],
  ['april', 'avril', 'apr', 'avr'],
  ['may', 'mai'],
  ['june', 'juni', 'juin', 'jun'],
  ['july', 'juli', 'juillet', 'jul', 'juil'],
  ['august', 'août', 'aout', 'aug'],
  ['september', 'septembre', 'sep', 'sept'],
  ['october', 'oktober', 'octobre', 'oct', 'okt'],
  ['november', 'novembre', 'nov'],
  ['december', 'dezember', 'décembre', 'decembre', 'dec', 'dez', 'déc'],
];
const monthOf = (name: string): number =>
  MONTHS.findIndex((names) => names.includes(name.toLowerCase().replace(/\.$/, ''))) + 1;

const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const NUMERIC = /^(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/;
const NAMED = /^(\d{1,2})(?:\.|st|nd|rd|th|er)?[ -]*(\p{L}+\.?)[ ,-]*(\d{4}|\d{2})$/u;
const NAMED_FIRST = /^(\p{L}+\.?) *(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})$/u;
const WEEKDAY = /^(?:mo|di|mi|do|fr|sa|so|mon|tue|wed|thu|fri|sat|sun)\p{L}*\.?,?\s+(?=\d)/iu;

const two = (number: number) => String(number).padStart(2, '0');
const isoOf = ({ year, month, day }: Parts): string | undefined => {
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const date = new Date(`${text}T00:00:00Z`);
  return month >= 1 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
    ? text
    : undefined;
};

const known = (date: string | undefined): Reading => (date ? { date } : undefined);

/**
 * Reads a date. Between dots it is day, month, year everywhere; a day between slashes or hyphens may come second.
 *
 * @param latest two digits of a year are read only if just one century is possible: dates of birth, which are not after this day
 */
export function readDate(given: string, latest?: string): Reading {
  const text = given.trim().replace(WEEKDAY, '');
  const iso = ISO.exec(text);
  if (iso) return known(isoOf({ year: Number(iso[1]), month: Number(iso[3]), day: Number(iso[4]) }));
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [, first = '', separator, second = '', last = ''] = numeric;
    // `12-04-29` may also be the 29th of April 2012.
    const isYearFirst = last.length === 2 && separator !== '.' && Number(last) <= 31;
    const year = isYearFirst ? 'century' : yearOf(last, { month: second, day: first }, latest);
    if (year === 'century') return 'century';
    const dmy = isoOf({ year, month: Number(second), day: Number(first) });
    if (separator === '.') return known(dmy);
    const mdy = isoOf({ year, month: Number(first), day: Number(second) });
    if (dmy && mdy && dmy !== mdy) return { undecided: { dmy, mdy } };
    return known(dmy ?? mdy);
  }
  const named = NAMED.exec(text);
  if (named) {
    const [, day = '', name = '', last = ''] = named;
    const month = monthOf(name);
    const year = yearOf(last, { month: String(month), day }, latest);
    return year === 'century' ? 'century' : known(isoOf({ year, month, day: Number(day) }));
  }
  const first = NAMED_FIRST.exec(text);
  if (first)
    return known(isoOf({ year: Number(first[3]), month: monthOf(first[1] ?? ''), day: Number(first[2]) }));
  return undefined;
}

function yearOf(
  text: string,
  { month, day }: { month: string; day: string },
  latest?: string,
): number | 'century' {
  if (text.length === 4) return Number(text);
  if (!latest) return 'century';
  // Whatever the order of day and month is, the later century must be impossible.
  const earliest = `20${text}-${two(Math.min(Number(month), Number(day)))}-01`;
  return earliest > latest ? 1900 + Number(text) : 'century';
}

/** Which order the numeric date of a text proves. A day that does not exist proves nothing. */
export function orderIn(text: string): DateOrder | undefined {
  const [, first = '', separator, second = '', last = ''] =
    NUMERIC.exec(text.trim().replace(WEEKDAY, '')) ?? [];
  if (!separator || separator === '.') return undefined;
  const year = last.length === 4 ? Number(last) : 2000;
  const dmy = isoOf({ year, month: Number(second), day: Number(first) });
  const mdy = isoOf({ year, month: Number(first), day: Number(second) });
  if (Boolean(dmy) === Boolean(mdy)) return undefined;
  return dmy ? 'dmy' : 'mdy';
}

const TIME = /^(\d{1,2})(?:[:.h](\d{2}))?(?:[:.](\d{2}))?(?:[.,]0+)?\s*(?:(am|pm|a\.m\.|p\.m\.)|uhr|h)?$/i;

/** `9:30`, `09:30:00`, `9.30 Uhr`, `9h30`, `9:30 pm` as `09:30:00`. */
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
