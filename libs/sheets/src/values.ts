import { type DecimalSign, decimalIn, isOfCurrency, readAmount } from './amounts';
import { type DateOrder, orderIn, readDate, readTime, splitInstant } from './dates';
import { type Kind, kindOf, type SheetField } from './field';
import { type Cell, isBlank, type Sheet, textOf } from './sheet';

export const UUID: RegExp = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TRUE = ['true', 'yes', 'y', '1', 'ja', 'j', 'oui', 'o', 'wahr', 'vrai', 'x', '✓'];
const FALSE = ['false', 'no', 'n', '0', 'nein', 'non', 'falsch', 'faux'];
const NUMBER = /^[-+]?\d+(?:[.,]\d+)?$/;

/** Genders as people write them, for options that are named in English. */
export const GENDERS: Record<string, string[]> = {
  FEMALE: [
    'f',
    'w',
    'female',
    'weiblich',
    'woman',
    'women',
    'frau',
    'femme',
    'féminin',
    'feminin',
    'féminine',
  ],
  MALE: ['m', 'h', 'male', 'männlich', 'maennlich', 'man', 'men', 'mann', 'herr', 'homme', 'masculin'],
};

/** How the values of a column are written, decided once from all of them. */
export interface Decision {
  dateOrder?: DateOrder | 'mixed';
  /** A spreadsheet made dates of some texts in an order of its own, and left the others: those that it made may be reversed. */
  converted?: true;
  decimal?: DecimalSign | 'mixed';
}

/** What a person has chosen for the file. */
export interface Choices {
  dateOrder?: DateOrder;
  decimal?: DecimalSign;
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
}

/** `open`: a person has not decided yet how the column is written. */
type Value = { value: unknown; sign?: string } | { misfit: string; ambiguous?: true; open?: boolean };

/**
 * Decides the order of day and month, or the decimal sign, of a column. If its values prove both, the ambiguous ones can't be read;
 * if they prove neither and one needs it, `asks` has examples.
 */
export function decide(
  kind: Kind,
  cells: readonly Cell[],
  choices: Choices = {},
  format: Sheet['format'] = 'csv',
): { decision: Decision; asks?: string[] } {
  const texts = cells.filter((cell): cell is string => typeof cell === 'string' && !isBlank(cell));
  if (kind === 'date' || kind === 'dateTime') {
    const proved = new Set(texts.map(orderIn).filter(Boolean));
    const converted = format === 'xlsx' && proved.size > 0 && texts.some((text) => MADE.test(text));
    const made = converted ? ({ converted } as const) : {};
    if (proved.size > 1) return { decision: { dateOrder: 'mixed', ...made } };
    const [order = choices.dateOrder] = proved;
    const open = order ? [] : texts.filter((text) => isUndecided(text)).slice(0, 3);
    return { decision: { dateOrder: order, ...made }, ...(open.length > 0 && { asks: open }) };
  }
  if (kind === 'number') {
    const proved = new Set(texts.map(decimalOfNumber).filter(Boolean));
    if (proved.size > 1) return { decision: { decimal: 'mixed' } };
    const [decimal = choices.decimal] = proved;
    const open = decimal ? [] : texts.filter((text) => THOUSANDS.test(text.trim()));
    return { decision: { decimal }, ...(open.length > 0 && { asks: open.slice(0, 3) }) };
  }
  if (kind === 'amount') {
    const proved = new Set(texts.map(decimalIn).filter(Boolean));
    if (proved.size > 1) return { decision: { decimal: 'mixed' } };
    const [decimal = choices.decimal] = proved;
    const open = decimal
      ? []
      : texts.filter((text) => {
          const amount = readAmount(text);
          return amount && 'undecided' in amount;
        });
    return { decision: { decimal }, ...(open.length > 0 && { asks: open.slice(0, 3) }) };
  }
  return { decision: {} };
}

/** A date that a spreadsheet made. */
const MADE = /^\d{4}-(\d{2})-(\d{2})(T|$)/;
const isReversible = (text: string): boolean => {
  const [, month, day] = MADE.exec(text) ?? [];
  return day !== undefined && Number(day) <= 12 && day !== month;
};

function isUndecided(text: string): boolean {
  const instant = splitInstant(text);
  if (!instant || 'instant' in instant) return false;
  const read = readDate(instant.day);
  return typeof read === 'object' && 'undecided' in read;
}

/** Reads a cell as its field needs it. Whatever is not certain is a misfit: nothing is guessed for a single cell. */
export function readValue(cell: Cell, field: SheetField, decision: Decision, today: string): Value {
  const text = textOf(cell).trim();
  switch (kindOf(field)) {
    case 'text':
      return { value: text };
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? { value: text } : { misfit: 'an email address' };
    case 'id':
      return UUID.test(text) ? { value: text.toLowerCase() } : { misfit: 'an id (UUID)' };
    case 'date':
      return dateOf(cell, decision, field.path.endsWith('dateOfBirth') ? today : undefined);
    case 'time': {
      const time = readTime(text);
      return time ? { value: time } : { misfit: 'a time such as 09:30' };
    }
    case 'dateTime':
      return END.test(field.path) && isDay(cell)
        ? { misfit: 'a date with a time, such as 23:59: a day alone leaves it open' }
        : instantOf(cell, decision);
    case 'amount':
      return amountOf(cell, decision);
    case 'minor':
      return /^-?\d{1,15}$/.test(text)
        ? { value: Number(text) }
        : {
            misfit: `a whole number of minor units. For whole units such as 45.00, use ${field.path.replace(/\.value$/, '')}`,
          };
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? { value: Number(text) } : { misfit: 'a whole number' };
    case 'number':
      return numberOf(cell, decision);
    case 'boolean': {
      const given = text.toLowerCase();
      if (TRUE.includes(given)) return { value: true };
      return FALSE.includes(given) ? { value: false } : { misfit: 'yes or no' };
    }
    case 'list': {
      const written = text.startsWith('["') ? jsonOf(text) : undefined;
      if (Array.isArray(written)) return { value: written };
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

/** A gender in the words of the form's options: only if one of the options is that gender. */
export function genderOf(text: string, options: readonly string[]): string | undefined {
  const given = text.trim().toLowerCase();
  const same = options.find((option) => option.toLowerCase() === given);
  if (same) return same;
  const [gender] = Object.entries(GENDERS).find(([, words]) => words.includes(given)) ?? [];
  const meant = options.filter((option) => GENDERS[gender ?? '']?.includes(option.toLowerCase()));
  return meant.length === 1 ? meant[0] : undefined;
}

const REVERSIBLE = 'written as YYYY-MM-DD: day and month may be reversed, and the column has both orders';
const CONVERTED =
  'written as a text: the spreadsheet made a date of it, and may have reversed day and month, as the others of the column are texts';
const CENTURY = 'written with four digits of the year, best as YYYY-MM-DD';

function dateOf(cell: Cell, { dateOrder, converted }: Decision, latest?: string): Value {
  if (typeof cell === 'number') return serialOf(cell);
  if (converted && isReversible(cell)) return { misfit: CONVERTED, ambiguous: true };
  const read = readDate(cell.replace(/T00:00:00$/, ''), latest);
  if (read === 'century') return { misfit: CENTURY, ambiguous: true };
  if (!read) return { misfit: 'a date, best as YYYY-MM-DD' };
  if ('date' in read) return { value: read.date };
  if (dateOrder === 'dmy' || dateOrder === 'mdy') return { value: read.undecided[dateOrder] };
  return { misfit: REVERSIBLE, ambiguous: true, open: dateOrder === undefined };
}

/** The number of a day in a spreadsheet: 1 is 1900-01-01, and 60 is a day that did not exist. */
function serialOf(days: number): Value {
  if (!Number.isInteger(days) || days < 61 || days > 110_000) return { misfit: 'a date, best as YYYY-MM-DD' };
  return { value: new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10) };
}

/** Until when something holds, or when people start. */
const END = /(^|\.)(endDateTime|expiresAt|saleEnd)$|^wave\./;
const isDay = (cell: Cell) => typeof cell === 'string' && readDate(cell) !== undefined;

function instantOf(cell: Cell, decision: Decision): Value {
  const misfit = 'a date and time, best as YYYY-MM-DDTHH:MM:SSZ';
  if (typeof cell === 'number') return { misfit };
  if (decision.converted && isReversible(cell)) return { misfit: CONVERTED, ambiguous: true };
  const split = splitInstant(cell);
  if (!split) return { misfit };
  if ('instant' in split) return { value: split.instant };
  const read = dateOf(split.day, decision);
  return 'value' in read ? { value: `${read.value}T${split.time}` } : read;
}

/** A number that may be a thousand or more, or have three decimals. */
const THOUSANDS = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/;

/** The decimal sign that a number proves. */
function decimalOfNumber(text: string): DecimalSign | undefined {
  const given = text.trim();
  if (!NUMBER.test(given) || THOUSANDS.test(given)) return undefined;
  return /[.,]/.exec(given)?.[0] as DecimalSign | undefined;
}

function numberOf(cell: Cell, { decimal }: Decision): Value {
  const text = textOf(cell).trim();
  if (typeof cell === 'number') return { value: Number(text) };
  if (!NUMBER.test(text)) return { misfit: 'a number' };
  if (!THOUSANDS.test(text)) return { value: Number(text.replace(',', '.')) };
  if (decimal !== '.' && decimal !== ',')
    return {
      misfit: 'written without a sign for thousands: it may have thousands or decimals',
      ambiguous: true,
      open: decimal === undefined,
    };
  return { value: Number(text.includes(decimal) ? text.replace(',', '.') : text.replace(/[.,]/, '')) };
}

function amountOf(cell: Cell, { decimal }: Decision): Value {
  const read = readAmount(cell);
  if (!read) return { misfit: 'an amount such as 45.00, with at most two decimals' };
  const sign = read.sign ? { sign: read.sign } : {};
  if ('minor' in read) return { value: read.minor, ...sign };
  const certain = decimal === '.' || decimal === ',';
  const value = certain ? read.undecided[decimal] : undefined;
  if (value !== undefined) return { value, ...sign };
  return certain
    ? { misfit: 'an amount with at most two decimals' }
    : {
        misfit: 'written like 1045.00: it may have thousands or decimals, and the column has both',
        ambiguous: true,
        open: decimal === undefined,
      };
}

/** Why the sign beside an amount does not fit its currency. */
export const contradicts = (sign: string | undefined, currency: string): boolean =>
  sign !== undefined && !isOfCurrency(sign, currency);

/** A date or an amount that only its column makes certain, so that it is certain alone; undefined for others. */
export function settled(cell: Cell, kind: Kind, { dateOrder, decimal }: Decision): string | undefined {
  if (typeof cell === 'number') return undefined;
  if (kind === 'date' && (dateOrder === 'dmy' || dateOrder === 'mdy')) {
    const read = readDate(cell);
    return typeof read === 'object' && 'undecided' in read ? read.undecided[dateOrder] : undefined;
  }
  if (kind === 'dateTime' && (dateOrder === 'dmy' || dateOrder === 'mdy') && isUndecided(cell)) {
    const read = instantOf(cell, { dateOrder });
    return 'value' in read ? String(read.value) : undefined;
  }
  if (kind !== 'amount' || (decimal !== '.' && decimal !== ',')) return undefined;
  const amount = readAmount(cell);
  const minor = amount && 'undecided' in amount ? amount.undecided[decimal] : undefined;
  return minor === undefined
    ? undefined
    : `${(minor / 100).toFixed(2)}${amount?.sign ? ` ${amount.sign}` : ''}`;
}
