import { type DecimalSign, decimalIn, isOfCurrency, readAmount } from './amounts';
import { type Choices, type Open, READINGS, type Reading } from './choices';
import { countriesOfCode, listOfCode, placeIn } from './countries';
import { orderIn, provenIn, readDate, readTime, splitInstant } from './dates';
import { type Distance, distanceIn, isMetersOrMiles } from './distances';
import { type Kind, kindOf, type SheetField } from './field';
import { isLetterOpen, lettersIn, wordOfLetter } from './genders';
import { mayHaveGap, type PersonName, splitName } from './people';
import { type Cell, type Sheet, trimmed } from './sheet';

export const UUID: RegExp = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"'/\\]+(?<!\.)$/;
const TRUE = ['true', 'yes', 'y', '1', 'ja', 'j', 'oui', 'wahr', 'vrai', '✓'];
const FALSE = ['false', 'no', 'n', '0', 'nein', 'non', 'falsch', 'faux'];
/** Either can be yes or no. */
const MARK = /^[xo]$/i;

/** How the values of a column are written, decided once from all of them. */
export interface Decision extends Choices {
  /** Which dates are written like those that prove the order, and the order of others. */
  isAlike?: (text: string) => boolean;
  otherOrder?: Choices['dateOrder'];
  /** A spreadsheet made dates of some texts in an order of its own, and left the others: those that it made may be reversed. */
  converted?: true;
  /** Numbers have three digits behind both signs: those behind the one for thousands may be decimals. */
  areMixed?: true;
  /** All names have a wide gap between their parts. */
  byGap?: true;
  /** Days of the workbook count from 1904. */
  from1904?: true;
}

export interface Mistake {
  code:
    | 'INVALID_VALUE'
    | 'AMBIGUOUS'
    | 'NO_MATCH'
    | 'CURRENCY_MISMATCH'
    | 'REQUIRED'
    | 'UNREADABLE'
    | 'DUPLICATE'
    | 'BOOKING_DIFFERS'
    | 'SAME_BOOKING';
  /** A sentence that names the column and what to do. */
  message: string;
  column?: string;
  /** The property of the import row that it is about. */
  path?: string;
}

/** `open`: it has several readings, and its column has not been decided yet. */
export type Value = { value: unknown; sign?: string } | { misfit: string; ambiguous?: true; open?: Open };

const OPENS: Partial<Record<Kind, Open[]>> = {
  date: ['dayNumber', 'dateOrder', 'century'],
  dateTime: ['dateOrder', 'century'],
  time: ['digits'],
  number: ['decimal'],
  integer: ['decimal'],
  amount: ['decimal'],
  name: ['nameOrder'],
  distance: ['letterM', 'decimal'],
  country: ['countryCodes'],
  boolean: ['mark'],
};
const isGender = ({ path, options }: SheetField) => options !== undefined && /(^|\.)gender$/.test(path);
const isCountry = ({ type, options }: SheetField) =>
  type === 'country' || options?.some(({ names }) => names.includes('DEU')) === true;
const opensOf = (field: SheetField): Open[] => {
  if (isGender(field)) return ['gender'];
  return isCountry(field) ? ['countryCodes'] : (OPENS[kindOf(field)] ?? []);
};

/** A text that stands for a record, in words of one meaning. */
export function meaningOf(text: string, field: SheetField, { gender, countryCodes }: Decision): string {
  if (isGender(field)) return isOption(text, field) ? text : wordOfLetter(text, gender);
  return (isCountry(field) && countryCodes && countriesOfCode(text)?.[countryCodes]) || text;
}

const isOption = (text: string, { options }: SheetField) =>
  options?.some(({ id, label }) => [id, label].some((name) => name?.toLowerCase() === text.toLowerCase()));

/** What a cell leaves open that was read like this. */
export function openIn(read: Value, cell: Cell, field: SheetField, decision: Decision): Open | undefined {
  const text = trimmed(cell);
  if (isGender(field))
    return !decision.gender && isLetterOpen(text) && !isOption(text, field) ? 'gender' : undefined;
  if (isCountry(field)) return !decision.countryCodes && countriesOfCode(text) ? 'countryCodes' : undefined;
  return 'open' in read ? read.open : undefined;
}

/** What the texts of a column prove; several ways if they contradict each other. */
function provedBy(open: Open, texts: string[], field: SheetField, column: string): Set<string | undefined> {
  const proofs = (of: (text: string) => string | undefined) => new Set(texts.map(of).filter(Boolean));
  if (open === 'dateOrder') return proofs(orderIn);
  if (open === 'gender') return new Set([lettersIn(texts, column)].filter(Boolean));
  if (open === 'countryCodes') return proofs(listOfCode);
  if (open === 'mark') return new Set(markIn(texts));
  if (open === 'digits') return new Set(areTimes(texts) ? ['HHMM'] : []);
  if (open !== 'decimal') return new Set();
  if (kindOf(field) === 'amount') return proofs(decimalIn);
  const proved = proofs(decimalOfNumber);
  // Beside `10,5`, `42.195` may have three decimals.
  const others = new Set(texts.flatMap((text) => (THOUSANDS.test(text) ? signIn(text) : [])));
  for (const sign of [...proved, ...texts.filter((text) => GROUPED.test(text)).map(signIn)])
    others.delete(sign);
  return proved.size === 1 && others.size > 0 ? new Set(['.', ',']) : proved;
}

const signIn = (text: string) => /[^\d+-]/.exec(text)?.[0];

/** Hours and minutes without a sign between them. */
const DIGITS = /^(\d\d)(\d\d)$/;
/** Digits are times if all of them can be, and one begins with a zero or is beside a time with a sign: years and numbers are not. */
const areTimes = (texts: readonly string[]): boolean =>
  texts.every((text) => !DIGITS.test(text) || readTime(text.replace(DIGITS, '$1:$2'))) &&
  texts.some((text) => /^0\d{3}$/.test(text) || readTime(text));

/** A cross alone is a yes, and so is `o` beside `n`. */
function markIn(texts: readonly string[]): string[] {
  const words = [...new Set(texts.map((text) => text.toLowerCase()))].sort().join();
  return words === 'x' ? ['x'] : words === 'n,o' ? ['o'] : [];
}

/**
 * Decides how the values of a column are written: by its values if they prove one way only, otherwise by what somebody has chosen. What
 * they leave open is in `readings`.
 */
export function decide(
  field: SheetField,
  cells: readonly Cell[],
  choices: Choices,
  { format, from1904, column, today }: Pick<Sheet, 'format' | 'from1904'> & { column: string; today: string },
): { decision: Decision; readings: Reading[] } {
  const decision: Decision = { ...(from1904 && { from1904 }) };
  const readings: Reading[] = [];
  const filled = cells.filter((cell) => trimmed(cell) !== '');
  const isDistance = kindOf(field) === 'distance';
  const texts = filled.filter((cell): cell is string => typeof cell === 'string').map(trimmed);
  if (kindOf(field) === 'name' && texts.every(mayHaveGap)) decision.byGap = true;
  let known = -1;
  let opens: (Open | undefined)[] = [];
  for (const open of opensOf(field)) {
    const numbers = isDistance ? texts.map((text) => distanceIn(text)?.number ?? text) : texts;
    const proved = provedBy(open, numbers, field, column);
    if (open === 'decimal' && areMixed(numbers)) decision.areMixed = true;
    if (open === 'dateOrder' && format === 'xlsx' && proved.size > 0 && texts.some((text) => MADE.test(text)))
      decision.converted = true;
    const [only] = proved;
    const isProved = proved.size === 1;
    if (isProved) Object.assign(decision, { [open]: only });
    if (isProved && open === 'dateOrder') decision.isAlike = provenIn(texts);
    // A decision only grows.
    if (Object.keys(decision).length !== known) {
      known = Object.keys(decision).length;
      opens = filled.map((cell) => openIn(readValue(cell, field, decision, today), cell, field, decision));
    }
    const left = [...new Set(filled.filter((_, at) => opens[at] === open).map(trimmed))];
    const examples = varied(left);
    // Dates in both orders: who says which one is meant says that the others are mistakes.
    const against = ['dmy', 'mdy'].flatMap((order) => texts.find((text) => orderIn(text) === order) ?? []);
    const shown = examples.length > 0 || open !== 'dateOrder' || against.length < 2 ? examples : against;
    const answer = choices[open];
    const key = isProved ? 'otherOrder' : open;
    if (answer && (!isProved || open === 'dateOrder')) Object.assign(decision, { [key]: answer });
    if (shown.length === 0) continue;
    const isShort = shown.some((text) => !/\d{4}/.test(text));
    const ways = READINGS[open]
      .filter((way) => way !== 'ymd' || isShort)
      .map((way) => {
        const first = filled.find((cell) => trimmed(cell) === shown[0]) ?? '';
        return { way, example: shownOf(first, field, { ...decision, [key]: way }, today) };
      });
    readings.push({
      kind: 'reading',
      open,
      column,
      examples: shown.slice(0, 3),
      ways,
      ...(answer && { answer }),
    });
  }
  return { decision, readings };
}

/** Texts that are written differently first. */
function varied(texts: readonly string[]): string[] {
  const forms = texts.map((text) => `${text.replace(/\d/g, '')} ${/\d{4}/.test(text)} ${/\b0/.test(text)}`);
  const isNew = (_: string, at: number) => forms.indexOf(forms[at] ?? '') === at;
  return [...new Set([...texts.filter(isNew), ...texts])];
}

/** A date that a spreadsheet made. */
const MADE = /^\d{4}-(\d{2})-(\d{2})(T|$)/;
const isReversible = (text: string): boolean => {
  const [, month, day] = MADE.exec(text) ?? [];
  return day !== undefined && Number(day) <= 12 && day !== month;
};

/** Reads a cell as its field needs it. Whatever is not certain is a misfit: nothing is guessed for a single cell. */
export function readValue(cell: Cell, field: SheetField, decision: Decision, today: string): Value {
  const text = trimmed(cell);
  switch (kindOf(field)) {
    case 'text':
      return { value: text };
    case 'lowerCase':
      return { value: text.toLowerCase() };
    case 'name':
      return nameOf(text, decision);
    case 'email':
      return EMAIL.test(text) ? { value: text } : { misfit: 'an email address' };
    case 'id':
      return UUID.test(text) ? { value: text.toLowerCase() } : { misfit: 'an id (UUID)' };
    case 'date':
      return dateOf(cell, inOrder(cell, decision), /dateOfBirth$/.test(field.path) ? today : undefined);
    case 'time': {
      // A spreadsheet counts times as parts of a day: 0.45 is 10:48.
      const time = typeof cell === 'number' || /^0\.\d+$/.test(text) ? undefined : readTime(text);
      if (time) return { value: time };
      const inDigits = DIGITS.test(text) && readTime(text.replace(DIGITS, '$1:$2'));
      if (inDigits && decision.digits) return { value: inDigits };
      return { misfit: 'a time such as 09:30', ...(inDigits && { open: 'digits' }) };
    }
    case 'dateTime':
      return END.test(field.path) && isDay(cell)
        ? { misfit: 'a date with a time, such as 23:59: a day alone leaves it open' }
        : instantOf(cell, decision);
    case 'amount':
      return amountOf(cell, decision);
    case 'distance':
      return distanceOf(cell, decision);
    case 'country':
      return { value: meaningOf(text, field, decision) };
    case 'minor':
      return /^-?\d{1,15}$/.test(text)
        ? { value: Number(text) }
        : {
            misfit: `a whole number of minor units. For whole units such as 45.00, use ${field.path.replace(/\.value$/, '')}`,
          };
    case 'integer':
    case 'number': {
      // A percentage can have its sign.
      const digits = field.path.endsWith('discount.amount') ? text.replace(/\s*%$/, '') : text;
      const read = numberOf(typeof cell === 'number' ? cell : digits, decision);
      return kindOf(field) === 'integer' && 'value' in read && !Number.isSafeInteger(read.value)
        ? { misfit: 'a whole number' }
        : read;
    }
    case 'boolean': {
      const given = text.toLowerCase();
      if (MARK.test(given))
        return decision.mark ? { value: given === decision.mark } : { misfit: 'yes or no', open: 'mark' };
      if (TRUE.includes(given)) return { value: true };
      return FALSE.includes(given) ? { value: false } : { misfit: 'yes or no' };
    }
    case 'list': {
      const written = text.startsWith('["') ? jsonOf(text) : undefined;
      if (Array.isArray(written))
        return written.every((item) => typeof item === 'string')
          ? { value: written }
          : { misfit: 'a list of texts' };
      const items = text.split(/[;|]/).map((item) => item.trim());
      return { value: items.filter(Boolean) };
    }
    case 'json': {
      const value = jsonOf(text);
      return value === undefined ? { misfit: 'JSON' } : { value };
    }
    case 'choice': {
      const values = field.values ?? [];
      const value = values.find((each) => each.toLowerCase() === text.toLowerCase());
      return value ? { value } : { misfit: `one of ${values.join(', ')}` };
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(text: string, { nameOrder, byGap }: Decision): Value {
  const read = splitName(text, byGap);
  if (!read) return { misfit: 'a name such as "Lovelace, Ada" or "Ada Lovelace"' };
  if ('lastName' in read) return { value: read };
  return nameOrder
    ? { value: read[nameOrder] }
    : { misfit: 'a name whose parts are certain', open: 'nameOrder' };
}

const CONVERTED =
  'written as a text: the spreadsheet made a date of it, and may have reversed day and month, as the others of the column are texts';
const OPEN: Record<'dateOrder' | 'century', string> = {
  dateOrder: 'written as YYYY-MM-DD: day and month may be reversed',
  century: 'written with four digits of the year, best as YYYY-MM-DD',
};
const NO_DATE = { misfit: 'a date, best as YYYY-MM-DD' };

/** With the order of dates that are written as the cell is. */
const inOrder = (cell: Cell, { isAlike, ...decision }: Decision): Decision =>
  isAlike?.(trimmed(cell)) === false ? { ...decision, dateOrder: decision.otherOrder } : decision;

function dateOf(cell: Cell, decision: Decision, latest?: string): Value {
  const { dateOrder, century, converted } = decision;
  if (typeof cell === 'number') return serialOf(cell, decision);
  const text = trimmed(cell);
  if (converted && isReversible(text)) return { misfit: CONVERTED, ambiguous: true };
  const read = readDate(text.replace(/T00:00:00$/, ''), { dateOrder, century, latest });
  if (!read) return NO_DATE;
  if ('date' in read) return { value: read.date };
  if ('open' in read) return { misfit: OPEN[read.open], ambiguous: true, open: read.open };
  return { misfit: 'written in the order of day and month of its column', ambiguous: true };
}

/** How much later days of workbooks are that count from 1904. */
const FROM_1904 = 1_462;

/** The number of a day in a spreadsheet: 1 is 1900-01-01, and 60 is a day that did not exist. A year is no such number. */
function serialOf(cell: number, { dayNumber: way, from1904 }: Decision): Value {
  const isYear = cell >= 1900 && cell < 2100;
  const days = cell + (from1904 ? FROM_1904 : 0);
  if (!Number.isInteger(days) || days < 61 || days > 110_000 || isYear) return NO_DATE;
  if (!way) return { ...NO_DATE, open: 'dayNumber' };
  return { value: new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10) };
}

/** Until when something holds, or when people start. */
const END = /(^|\.)(endDateTime|expiresAt|saleEnd)$|^wave\./;
const isDay = (cell: Cell) => typeof cell === 'string' && readDate(trimmed(cell)) !== undefined;

function instantOf(cell: Cell, decision: Decision): Value {
  const misfit = 'a date and time, best as YYYY-MM-DDTHH:MM:SSZ';
  if (typeof cell === 'number') return { misfit };
  if (decision.converted && isReversible(trimmed(cell))) return { misfit: CONVERTED, ambiguous: true };
  const split = splitInstant(trimmed(cell));
  if (!split) return { misfit };
  if ('instant' in split) return readDate(split.instant.slice(0, 10)) ? { value: split.instant } : { misfit };
  const read = dateOf(split.day, inOrder(cell, decision));
  return 'value' in read ? { value: `${read.value}T${split.time}` } : read;
}

const NUMBER = /^[-+]?\d+(?:[.,]\d+)?$/;
/** A number that may be a thousand or more, or have three decimals. */
const THOUSANDS = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/;
/** A number that shows its sign for thousands. */
const GROUPED =
  /^[-+]?[1-9]\d{0,2}(?:(?:[' \u00A0\u202F\u2019]\d{3})+(?:[.,]\d+)?|(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+|(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/;

const areMixed = (texts: readonly string[]): boolean =>
  new Set(texts.filter((text) => THOUSANDS.test(text)).map(signIn)).size === 2 &&
  !texts.some((text) => GROUPED.test(text) && /^[-+]?\d+[.,]/.test(text));

/** The decimal sign that a number proves. */
function decimalOfNumber(text: string): DecimalSign | undefined {
  if (THOUSANDS.test(text)) return undefined;
  const signs = text.match(/[.,]/g) ?? [];
  const last = signs.at(-1) as DecimalSign | undefined;
  if (NUMBER.test(text)) return last;
  if (!last || !GROUPED.test(text)) return undefined;
  if (signs.length > 1 && signs.every((sign) => sign === last)) return last === '.' ? ',' : '.';
  return last;
}

function numberOf(cell: Cell, { decimal, areMixed }: Decision): Value {
  const text = trimmed(cell);
  if (typeof cell === 'number') return { value: Number(text) };
  const isOpen = THOUSANDS.test(text);
  if (!NUMBER.test(text) && !GROUPED.test(text)) return { misfit: 'a number' };
  const sign = isOpen ? decimal : (decimalOfNumber(text) ?? '.');
  if (sign && !(isOpen && areMixed && !text.includes(sign)))
    return { value: Number(text.replace(sign === '.' ? /[^\d.+-]/g : /[^\d,+-]/g, '').replace(',', '.')) };
  return {
    misfit: 'written without a sign for thousands: it may have thousands or decimals',
    ambiguous: true,
    ...(!sign && { open: 'decimal' }),
  };
}

function amountOf(cell: Cell, { decimal }: Decision): Value {
  const read = readAmount(typeof cell === 'number' ? cell : trimmed(cell));
  if (!read) return { misfit: 'an amount such as 45.00, with at most two decimals' };
  const sign = read.sign ? { sign: read.sign } : {};
  if (!read.only || read.only === decimal) return { value: read.minor, ...sign };
  return decimal
    ? { misfit: 'an amount with at most two decimals' }
    : {
        misfit: 'written like 1045.00: it may have thousands or decimals, and the column has both',
        ambiguous: true,
        open: 'decimal',
      };
}

function distanceOf(cell: Cell, decision: Decision): Value {
  const text = trimmed(cell);
  const found = distanceIn(text);
  if (isMetersOrMiles(text) && found && !decision.letterM)
    return { misfit: 'written with m or mi: M may be meters or miles', ambiguous: true, open: 'letterM' };
  const read = numberOf(found?.number ?? cell, decision);
  if (!('value' in read)) return read;
  const unit = isMetersOrMiles(text) && decision.letterM === 'miles' ? 'MI' : found?.unit;
  return { value: { value: read.value, ...(unit && { unit }) } };
}

/** Why the sign beside an amount does not fit its currency. */
export const contradicts = (sign: string | undefined, currency: string): boolean =>
  sign !== undefined && !isOfCurrency(sign, currency);

/** What a cell becomes, for people; undefined if it is refused. */
export function shownOf(
  cell: Cell,
  field: SheetField,
  decision: Decision,
  today: string,
): string | undefined {
  if (field.options) return meaningOf(trimmed(cell), field, decision);
  const read = readValue(cell, field, decision, today);
  return 'value' in read ? wordsOf(read.value, kindOf(field)) : undefined;
}

/** A value of a row, for people. */
export function wordsOf(value: unknown, kind: Kind): string {
  if (kind === 'amount') return (Number(value) / 100).toFixed(2);
  if (kind === 'name') return `${(value as PersonName).firstName} | ${(value as PersonName).lastName}`;
  if (kind === 'distance') return Object.values(value as Distance).join(' ');
  if (kind === 'country') {
    const { city, part, name = value, id } = placeIn(String(value)) ?? {};
    return [city, part, name, id].filter(Boolean).join(', ');
  }
  if (Array.isArray(value)) return value.join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What only its column makes certain, written so that it is certain alone; undefined for other cells. */
export function settled(
  cell: Cell,
  field: SheetField,
  decision: Decision,
  today: string,
): string | undefined {
  if (typeof cell === 'number') return undefined;
  const open = openIn(readValue(cell, field, {}, today), cell, field, {});
  if (!open) return undefined;
  if (open === 'gender' || open === 'countryCodes') return meaningOf(trimmed(cell), field, decision);
  const read = readValue(cell, field, decision, today);
  if (!('value' in read)) return undefined;
  const { value, sign } = read;
  switch (kindOf(field)) {
    case 'amount':
      return `${(Number(value) / 100).toFixed(2)}${sign ? ` ${sign}` : ''}`;
    case 'distance': {
      const { value: number, unit } = value as Distance;
      const written = THOUSANDS.test(String(number)) ? `${number}0` : String(number);
      return [written, unit?.toLowerCase()].filter(Boolean).join(' ');
    }
    case 'name':
      return `${(value as PersonName).lastName}, ${(value as PersonName).firstName}`;
    default:
      // With a fourth decimal, thousands are impossible.
      return THOUSANDS.test(String(value)) ? `${value}0` : String(value);
  }
}
