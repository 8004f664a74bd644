/** The sign before the decimals. */
export type DecimalSign = '.' | ',';

export type Amount =
  /** `only`: if that is the decimal sign of its column. `1,045` has no other reading, but a person may have meant three decimals. */
  { minor: number; only?: DecimalSign; sign?: string } | undefined;

/** The currencies that a sign can mean: of some, several. */
const SIGNS: Record<string, string[]> = {
  '€': ['EUR'],
  '£': ['GBP'],
  $: ['USD', 'CAD', 'AUD', 'MXN'],
  US$: ['USD'],
  C$: ['CAD'],
  CA$: ['CAD'],
  A$: ['AUD'],
  AU$: ['AUD'],
  MX$: ['MXN'],
  '₹': ['INR'],
  '₱': ['PHP'],
  KR: ['DKK', 'SEK', 'NOK', 'ISK'],
  'KR.': ['DKK', 'SEK', 'NOK', 'ISK'],
  EURO: ['EUR'],
};

const CODES = new Set(Object.values(SIGNS).flat());

/** Whether an amount with this sign can be in the currency. */
export const isOfCurrency = (sign: string, currency: string): boolean =>
  (SIGNS[sign.toUpperCase()] ?? [sign.toUpperCase()]).includes(currency);

/** Whether a text is the sign or the code of a currency. */
export const isCurrency = (text: string): boolean =>
  SIGNS[text.toUpperCase()] !== undefined || CODES.has(text.toUpperCase());

/** The only currency that a sign can mean. */
export const currencyOf = (sign: string): string | undefined => {
  const meant = SIGNS[sign.toUpperCase()] ?? (/^[A-Z]{3}$/i.test(sign) ? [sign.toUpperCase()] : []);
  return meant.length === 1 ? meant[0] : undefined;
};

const SIGNED =
  /^([-−]?)\s*(\p{Sc}|\p{L}{1,4}\p{Sc}|\p{L}{2,4}\.?)?\s*([-−]?)\s*([\d.,' \u2019]*\d)(?:[.,][-–—])?\s*(\p{Sc}|\p{L}{1,2}\p{Sc}|\p{L}{2,4}\.?)?$/u;
const SPACES = /[\u00A0\u202F\u2009]/g;

/** A number in digits, with signs for groups of three, or of two as in India. Further decimals are zeros. */
const form = (whole: string, decimal: string) => new RegExp(`^${whole}(?:${decimal}\\d{1,2}0*)?$`);
const groups = (sign: string) => `[1-9]\\d{0,2}(?:${sign}\\d{3})+`;
const FORMS: Record<DecimalSign, RegExp[]> = {
  '.': ['\\d+', groups(','), groups("['\u2019 ]"), '\\d{1,2}(?:,\\d{2})+,\\d{3}'].map((each) =>
    form(each, '\\.'),
  ),
  ',': ['\\d+', groups('\\.'), groups("['\u2019 ]")].map((each) => form(each, ',')),
};
const FREE = ['free', 'kostenlos', 'gratis', 'frei', 'gratuit', 'gratuite'];

const SIGNS_IN_ORDER: DecimalSign[] = ['.', ','];

const UNDECIDED = /^[1-9]\d{0,2}([.,])\d{3}$/;

/** Reads an amount in whole units. Currencies here have two decimals. */
export function readAmount(given: string | number): Amount {
  if (typeof given === 'number') {
    const minor = Math.round(given * 100);
    return Number((minor / 100).toPrecision(15)) === Number(given.toPrecision(15)) &&
      Number.isSafeInteger(minor)
      ? { minor }
      : undefined;
  }
  if (FREE.includes(given.trim().toLowerCase())) return { minor: 0 };
  const match = SIGNED.exec(given.trim().replace(SPACES, ' '));
  if (!match) return undefined;
  const [, minus, before, innerMinus, digits = '', after] = match;
  if ((before && after) || (minus && innerMinus)) return undefined;
  const sign = before ?? after;
  const readings = SIGNS_IN_ORDER.map((decimal): [DecimalSign, number | undefined] => {
    const fits = FORMS[decimal].some((form) => form.test(digits));
    return [decimal, fits ? minorOf(digits, decimal) * (minus || innerMinus ? -1 : 1) : undefined];
  });
  const [point, comma] = readings.map(([, value]) => value);
  if (point === undefined && comma === undefined) return undefined;
  const named = sign ? { sign } : {};
  const [, separator] = UNDECIDED.exec(digits) ?? [];
  if (separator === '.') return { minor: comma as number, only: ',', ...named };
  if (separator) return { minor: point as number, only: '.', ...named };
  return { minor: (point ?? comma) as number, ...named };
}

function minorOf(digits: string, decimal: DecimalSign): number {
  const [whole = '', decimals = ''] = digits.split(decimal);
  return Number(whole.replace(/\D/g, '')) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'));
}

/** The decimal sign that an amount proves. */
export function decimalIn(given: string): DecimalSign | undefined {
  if (!readAmount(given)) return undefined;
  const digits = (SIGNED.exec(given.trim().replace(SPACES, ' '))?.[4] ?? '').replace(/[^\d.,]/g, '');
  const last = /[.,](?=[^.,]*$)/.exec(digits)?.[0] as DecimalSign | undefined;
  if (!last) return undefined;
  const other = last === '.' ? ',' : '.';
  if (digits.includes(other)) return last;
  if (digits.split(last).length > 2) return other;
  return UNDECIDED.test(digits) ? undefined : last;
}
