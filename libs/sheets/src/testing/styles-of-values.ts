import { strToU8, zipSync } from 'fflate';
import { COUNTRIES } from '../countries';
import {
  type Body,
  type Choices,
  type FileMapping,
  type Plan,
  planOf,
  readSheet,
  type Sheet,
  type SheetField,
  type SheetRow,
  textOf,
  withAmounts,
  withAnswers,
} from '../index';

/** A cell of a file: a text, or a number in the format that a workbook shows. */
type Written = string | { number: number; format: string };
/** Instead of a format: the cell is true or false, and shows that. */
const YES = '"TRUE"';
/** A way in which people and programs write the values of a target. */
interface Style {
  write(value: string): Written;
  /** What a person answers who knows the style. */
  answers?: Choices;
  /** The values that it can write. */
  has?(value: string): boolean;
  /** The few values that it can write, of many. */
  only?: readonly string[];
  /** Whether each value is read. Those of other styles may be asked about, or refused. */
  isRead: boolean;
}
interface Target {
  path: string;
  /** A true value, in the order of the rows where there are few. */
  value(at: number): string;
  /** A value of an import row, as such a text. */
  text?(value: unknown): string;
  /** Values for every row. */
  values?: Record<string, string>;
  styles: Record<string, Style>;
}

/** Of `npm test`. `.ci/release` takes a new one for each run, and `SEED=…` repeats it. */
const SEED = Number(process.env.SEED ?? 20_261_128);
let state = SEED;
/** Numbers that follow from the seed (mulberry32). */
function below(most: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * most);
}
const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;
const two = (number: number) => String(number).padStart(2, '0');

/** Styles, each of which writes other texts than those before. */
function different(styles: Record<string, Style>, samples: string[]): Record<string, Style> {
  const known = new Set<string>();
  return Object.fromEntries(
    Object.entries(styles).filter(([, { write }]) => {
      const texts = JSON.stringify(samples.map(write));
      return !known.has(texts) && known.add(texts);
    }),
  );
}

const LOCALES = (
  'en-US en-GB en-CA en-IN de-DE de-AT de-CH fr-FR fr-CA es-ES it-IT nl-NL pl-PL pt-BR sv-SE da-DK ' +
  'nb-NO fi-FI cs-CZ hu-HU tr-TR ja-JP ko-KR zh-CN ar-EG fa-IR th-TH he-IL ru-RU el-GR lt-LT hr-HR ' +
  'ro-RO bg-BG sr-RS'
).split(' ');
/** Two digits of a Buddhist year are those of another year. */
const isTold = (name: string) => !/^th-TH short/.test(name);
const LENGTHS = ['short', 'long'] as const;
const each = <K extends string, T>(keys: readonly K[], style: (key: K) => T): Record<string, T> =>
  Object.fromEntries(keys.map((key) => [key, style(key)]));
const all = (styles: Record<string, Omit<Style, 'isRead'>>, isRead: boolean): Record<string, Style> =>
  Object.fromEntries(Object.entries(styles).map(([name, style]) => [name, { ...style, isRead }]));

// Dates.
const orderOf = (locale: string): Choices['dateOrder'] => {
  const [first] = new Intl.DateTimeFormat(locale, { dateStyle: 'short' })
    .formatToParts(0)
    .filter(({ type }) => /day|month|year/.test(type));
  return first?.type === 'month' ? 'mdy' : first?.type === 'year' ? 'ymd' : 'dmy';
};
const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const isOf = (year: number) => (iso: string) => iso.startsWith(String(year).slice(0, 2));
const serial = (iso: string) =>
  (Date.parse(`${iso}${iso.includes('T') ? '' : 'T00:00:00'}Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
const day = () => `${1930 + below(85)}-${two(1 + below(12))}-${two(1 + below(28))}`;
/** Whose words and digits are read. */
const isKnown = (locale: string) =>
  /^(en|de|fr|es|it|nl|pl|pt|sv|da|nb|fi|cs|tr|el|hr|ro|ja|zh|ko)/.test(locale);
/** Languages with months of their own. */
const WORDS = /^(en-US|en-GB|de-DE|de-AT|fr-FR|es|it|nl|pl|pt|sv|da|nb|fi|cs|hu|tr|hr|ro|lt|ru|el|ja|ar)/;
const dates: Record<string, Style> = {
  ...all(
    {
      iso: { write: (iso) => iso },
      slashes: { write: (iso) => iso.replaceAll('-', '/') },
      midnight: { write: (iso) => `${iso}T00:00:00` },
      'day of the week': { write: (iso) => `Do., ${iso.split('-').reverse().join('.')}` },
      'two digits': {
        write: (iso) => iso.slice(2),
        has: isOf(1900),
        answers: { dateOrder: 'ymd', century: '1900' },
      },
      hyphens: { write: (iso) => iso.split('-').reverse().join('-'), answers: { dateOrder: 'dmy' } },
      underscores: { write: (iso) => iso.split('-').reverse().join('_'), answers: { dateOrder: 'dmy' } },
      'no space': { write: (iso) => LONG.format(new Date(iso)).replace(', ', ',') },
      'cell d.m.y': { write: (iso) => ({ number: serial(iso), format: 'dd\\.mm\\.yyyy' }) },
      'cell d-mmm-yy': { write: (iso) => ({ number: serial(iso), format: 'd-mmm-yy' }) },
      'cell [$-409]m/d/yy h:mm': {
        write: (iso) => ({ number: serial(iso), format: '[$-409]m/d/yy h:mm AM/PM' }),
      },
      serial: { write: (iso) => ({ number: serial(iso), format: '' }), answers: { dayNumber: 'days' } },
    },
    true,
  ),
  ...all(
    {
      compact: { write: (iso) => iso.replaceAll('-', '') },
      'compact number': { write: (iso) => ({ number: Number(iso.replaceAll('-', '')), format: '' }) },
      year: { write: (iso) => ({ number: Number(iso.slice(0, 4)), format: '0' }) },
      'month and year': { write: (iso) => `${iso.slice(5, 7)}/${iso.slice(0, 4)}` },
      text: { write: (iso) => ({ number: serial(iso), format: '@' }), answers: { dayNumber: 'days' } },
    },
    false,
  ),
  ...Object.assign(
    {},
    ...LENGTHS.map((dateStyle) =>
      each(
        LOCALES.filter((locale) => dateStyle === 'short' || WORDS.test(locale))
          .map((locale) => `${locale} ${dateStyle}`)
          .filter(isTold),
        (name): Style => {
          const [locale = ''] = name.split(' ');
          const format = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' });
          const isShort = !/\d{4}/.test(format.format(0));
          return {
            write: (iso) => format.format(new Date(iso)),
            answers: { dateOrder: orderOf(locale), ...(isShort && { century: '1900' }) },
            ...(isShort && { has: isOf(1900) }),
            // `listopada` is October or November.
            ...(/^(pl|hr).*long/.test(name) && { has: (iso) => !/-1[01]-/.test(iso) }),
            isRead: isKnown(locale) && !/^(cs|el|hr|ro|ja|zh|ko).* short/.test(name),
          };
        },
      ),
    ),
  ),
};

// Times of a day.
const instant = () =>
  `2026-${two(1 + below(10))}-${two(1 + below(28))}T${two(below(24))}:${two(below(60))}:00`;
const instants: Record<string, Style> = {
  ...all(
    {
      iso: { write: (iso) => iso },
      space: { write: (iso) => iso.replace('T', ' ') },
      cell: { write: (iso) => ({ number: serial(iso), format: 'dd/mm/yyyy hh:mm' }) },
      'cell of twelve hours': { write: (iso) => ({ number: serial(iso), format: 'm/d/yy h:mm AM/PM' }) },
      um: {
        write: (iso) => `${iso.slice(0, 10).split('-').reverse().join('.')} um ${iso.slice(11, 16)} Uhr`,
      },
    },
    true,
  ),
  ...all(
    {
      'no day': { write: (iso) => iso.slice(11, 16) },
      serial: { write: (iso) => ({ number: serial(iso), format: '' }) },
      'cell of a day': {
        write: (iso) => ({ number: serial(iso), format: 'dd/mm/yyyy' }),
        has: (iso) => /T00:00/.test(iso),
      },
    },
    false,
  ),
  ...each(LOCALES.map((locale) => `${locale} short`).filter(isTold), (name): Style => {
    const [locale = ''] = name.split(' ');
    const how = { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' } as const;
    const format = new Intl.DateTimeFormat(locale, how);
    return {
      write: (iso) => format.format(new Date(`${iso}Z`)),
      answers: { dateOrder: orderOf(locale), century: '2000' },
      isRead: /^(en-(US|GB)|de|fr-FR)/.test(name),
    };
  }),
};

const clock = () => `${two(below(24))}:${two(below(60))}:00`;
const byLocale = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  return (time: string) => format.format(new Date(`2027-01-01T${time}Z`));
};
const times: Record<string, Style> = {
  ...all(
    {
      full: { write: (time) => time },
      minutes: { write: (time) => time.slice(0, 5) },
      short: { write: (time) => time.slice(0, 5).replace(/^0/, '') },
      Uhr: { write: (time) => `${time.slice(0, 5).replace(':', '.')} Uhr` },
      French: { write: (time) => time.slice(0, 5).replace(':', 'h') },
      digits: { write: (time) => time.slice(0, 5).replace(':', ''), answers: { digits: 'HHMM' } },
      cell: { write: (time) => ({ number: serial(`1899-12-30T${time}`), format: 'hh:mm' }) },
      'cell of twelve hours': {
        write: (time) => ({ number: serial(`1899-12-30T${time}`), format: 'h:mm AM/PM' }),
      },
    },
    true,
  ),
  ...all(
    {
      number: { write: (time) => ({ number: Number(time.slice(0, 5).replace(':', '')), format: '' }) },
      serial: { write: (time) => ({ number: serial(`1899-12-30T${time}`), format: '' }) },
      hours: { write: (time) => String(Number(time.slice(0, 2))), has: (time) => time.includes(':00:00') },
    },
    false,
  ),
  ...each(
    LOCALES,
    (locale): Style => ({ write: byLocale(locale), isRead: /^(en|de|fr|it|nl)/.test(locale) }),
  ),
};

// Amounts and numbers.
const cents = () => String(below(3) ? 100 * (1 + below(3_000)) : 1 + below(300_000));
const units = (minor: string) => Number(minor) / 100;
const grouped = (text: string, sign: string, size = 3) =>
  text.replace(/^\d+/, (digits) =>
    size === 3
      ? digits.replace(/\B(?=(\d{3})+$)/g, sign)
      : digits.replace(/(\d)(?=(\d\d)+\d$)/g, `$1${sign}`),
  );
const isWhole = (minor: string) => Number(minor) % 100 === 0;
/** `4,850` beside `12.50` is more than 4,000 indeed, which is plausible. */
const isMoreThanFive = (minor: string) => Number(minor) > 500;
const decimals = (minor: string) => units(minor).toFixed(2);
const comma = (text: string) => text.replace('.', ',');
const point: Choices = { decimal: '.' };
const byComma: Choices = { decimal: ',' };
const signOf = (locale: string): Choices => ({
  decimal: new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.',
});
const formatted = (
  names: string[],
  options: Intl.NumberFormatOptions,
  numberOf: (text: string) => number,
  others = /ar|fa/,
) =>
  each(names, (name): Style => {
    const [locale = ''] = name.split(' ');
    const format = new Intl.NumberFormat(locale, options);
    const write = (text: string) => format.format(numberOf(text));
    return { write, answers: signOf(locale), isRead: !others.test(locale) };
  });
const amounts: Record<string, Style> = {
  ...all(
    {
      point: { write: decimals, answers: point },
      comma: { write: (minor) => comma(decimals(minor)), answers: byComma },
      Swiss: { write: (minor) => grouped(decimals(minor), "'"), answers: point },
      'Swiss ’': { write: (minor) => grouped(decimals(minor), '’'), answers: point },
      Indian: { write: (minor) => grouped(decimals(minor), ',', 2), answers: point },
      'sign before': { write: (minor) => `€ ${decimals(minor)}`, answers: point },
      'code before': { write: (minor) => `EUR ${comma(decimals(minor))}`, answers: byComma },
      'code behind': { write: (minor) => `${decimals(minor)} eur`, answers: point },
      'no cents': { write: (minor) => `${units(minor)},-`, has: isWhole, answers: byComma },
      'no decimals': { write: (minor) => grouped(String(units(minor)), '.'), has: isWhole, answers: byComma },
      'no decimals, comma': {
        write: (minor) => grouped(String(units(minor)), ','),
        has: isWhole,
        answers: point,
      },
      'four decimals': { write: (minor) => `${decimals(minor)}00`, answers: point },
      shortest: { write: (minor) => comma(String(units(minor))), answers: byComma },
      cell: { write: (minor) => ({ number: units(minor), format: '' }) },
      'cell with sign': { write: (minor) => ({ number: units(minor), format: '#,##0.00\\ "€"' }) },
      'cell of accounting': {
        write: (minor) => ({ number: units(minor), format: '_-* #,##0.00\\ [$€-407]_-' }),
      },
    },
    true,
  ),
  ...all(
    {
      'three decimals': { write: (minor) => `${decimals(minor)}0`, has: isMoreThanFive, answers: point },
      'three decimals, comma': {
        write: (minor) => comma(`${decimals(minor)}0`),
        ...{ has: isMoreThanFive, answers: byComma },
      },
      cents: { write: (minor) => `${minor} ct` },
      'other currency': { write: (minor) => `$${decimals(minor)}` },
      thousands: { write: (minor) => ({ number: units(minor), format: '0.00,"k"' }) },
      'cell of whole units': { write: (minor) => ({ number: units(minor), format: '0' }), has: isWhole },
      scientific: { write: (minor) => units(minor).toExponential() },
      'with text': { write: (minor) => `${decimals(minor)} (paid)` },
    },
    false,
  ),
  ...formatted(LOCALES, { minimumFractionDigits: 2 }, units),
  ...formatted(
    LOCALES.slice(0, 20).map((locale) => `${locale} €`),
    { style: 'currency', currency: 'EUR' },
    units,
    /ar|fa|he/,
  ),
};
/** Without thousands such as `1.480`, which can be 1.48 anywhere. */
const number = () =>
  one([String(1 + 2 * below(750)), String(below(15_000) / 10), String(below(150_000) / 1_000)]);
const numbers: Record<string, Style> = {
  ...all(
    {
      point: { write: (text) => text, answers: point },
      comma: { write: comma, answers: byComma },
      cell: { write: (text) => ({ number: Number(text), format: '' }) },
      'cell with decimals': { write: (text) => ({ number: Number(text), format: '0.000' }) },
      'three decimals': { write: (text) => Number(text).toFixed(3), answers: point },
      'three decimals, comma': { write: (text) => comma(Number(text).toFixed(3)), answers: byComma },
    },
    true,
  ),
  ...all(
    {
      unit: { write: (text) => `${text} km` },
      'unit, comma': { write: (text) => `${comma(text)} km` },
      'cell with unit': { write: (text) => ({ number: Number(text), format: '0.000" km"' }) },
      percent: { write: (text) => ({ number: Number(text) / 100, format: '0.00%' }) },
      scientific: { write: (text) => Number(text).toExponential() },
    },
    false,
  ),
  ...formatted(LOCALES, { maximumFractionDigits: 3 }, Number),
};

// Words: each style has one for each value.
const words = (styles: Record<string, string>, values: string[], isRead: (name: string) => boolean) =>
  Object.fromEntries(
    Object.entries(styles).map(([name, list]): [string, Style] => {
      const own = list.split(' ');
      const answers: Choices = {
        gender: name === 'es MH' ? 'HM' : name === 'hu NF' ? 'FN' : 'MF',
        mark: name.startsWith('x') || name === '✓ and nothing' ? 'x' : 'o',
      };
      return [name, { write: (value) => own[values.indexOf(value)] ?? '', answers, isRead: isRead(name) }];
    }),
  );
/** The words of each style, with spaces between them. */
const listed = (list: string) =>
  Object.fromEntries(list.split(', ').map((each) => each.split(': '))) as Record<string, string>;
const genders = words(
  listed(
    'codes: FEMALE MALE, MF: F M, mf: f m, English: female male, people: Woman Man, MW: W M, German: weiblich männlich, ' +
      'Leute: Frau Herr, French: Femme Homme, fr FH: F H, Spanish: Mujer Hombre, es MH: M H, hu NF: N F, Hungarian: Nő Férfi, ' +
      'Dutch: V M, Danish: K M, titles: Mrs Mr, Japanese: 女 男, numbers: 2 1, other numbers: 0 1, Polish: Kobieta Mężczyzna, ' +
      'Italian: Femmina Maschio, Swedish: D H, Finnish: N M, Turkish: K E',
  ),
  ['FEMALE', 'MALE'],
  (name) =>
    /^(codes|MF|mf|English|MW|people|German|Leute|French|fr FH|Spanish|es MH|hu NF|Hungarian)$/.test(name),
);
const booleans = words(
  listed(
    'English: yes no, letters: Y N, code: true false, German: Ja Nein, de letters: J N, Excel: WAHR FALSCH, French: Oui Non, ' +
      'fr letters: O N, vrai: VRAI FAUX, numbers: 1 0, x and nothing: x , ✓ and nothing: ✓ , Spanish: Sí No, Italian: Sì No, ' +
      'Polish: Tak Nie, Swedish: Ja Nej, Norwegian: Ja Nei, Hungarian: Igen Nem, Dutch: Ja Nee, hu letters: I N, ✓ and x: ✓ x, ' +
      'o and x: o x, ○ and ×: ○ ×, x and o: x o, Czech: Ano Ne, numbers from 1: 1 2, TF: T F, on: on off, signs: + -, ' +
      'y and dash: y -, Portuguese: Sim Não, Slovak: áno nie',
  ),
  ['true', 'false'],
  (name) =>
    /^(English|letters|code|German|de letters|Excel|French|fr letters|vrai|numbers)$|nothing/.test(name),
);

// Countries, by all codes and names that there are.
const REGIONS = COUNTRIES.map(({ id }) => id);
/** Codes that are not the same in both lists, and some that are. */
const CODES = (
  'BN BRN BRU|DE DEU GER|CH CHE SUI|NL NLD NED|BH BHR BRN|AT AUT AUT|GR GRC GRE|DK DNK DEN|LV LVA LAT|LB LBN LIB|MC MCO MON|' +
  'NG NGA NGR|NE NER NIG|PT PRT POR|SI SVN SLO|ZA ZAF RSA|FR FRA FRA'
)
  .split('|')
  .map((line) => line.split(' ') as [id: string, iso: string, ioc: string]);
const codeOf = (place: 1 | 2) => (id: string) => CODES.find(([own]) => own === id)?.[place] ?? '';
const CODED = CODES.map(([id]) => id);
/** Countries with their languages. */
const LANGUAGES = new Map(
  'ES:es IT:it NL:nl PL:pl SE:sv DK:da FI:fi CZ:cs HU:hu JP:ja'
    .split(' ')
    .map((each) => each.split(':') as [string, string]),
);
const countries: Record<string, Style> = {
  ...all({ codes: { write: (code) => code }, small: { write: (code) => code.toLowerCase() } }, true),
  ISO: { write: codeOf(1), only: CODED, answers: { countryCodes: 'ISO' }, isRead: true },
  IOC: { write: codeOf(2), only: CODED, answers: { countryCodes: 'IOC' }, isRead: true },
  own: {
    write: (code) => new Intl.DisplayNames(LANGUAGES.get(code), { type: 'region' }).of(code) ?? '',
    only: [...LANGUAGES.keys()],
    isRead: true,
  },
  'NA for none': { write: (code) => (code === 'NA' ? 'Namibia' : code || 'NA'), isRead: false },
  ...each(LOCALES.slice(0, 26), (locale): Style => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    return { write: (code) => (code && names.of(code)) ?? code, isRead: false };
  }),
};

// Texts.
const text = (styles: Record<string, (value: string) => Written>, isRead: boolean) =>
  Object.fromEntries(
    Object.entries(styles).map(([name, write]): [string, Style] => [name, { write, isRead }]),
  );
const NAMES =
  "Zoë|Anne-Marie|D'Arcy|Łukasz|Nguyễn|王|محمد|José|Ødegård|Nan|Null|True|May|=Ada|Smith, Jr.".split('|');
const ends = {
  plain: (value: string) => value,
  spaces: (value: string) => `  ${value} `,
  'no-break spaces': (value: string) => `\u00a0${value}\u202f`,
  'zero width': (value: string) => `\u200b${value}\ufeff`,
  directions: (value: string) => `\u202a${value}\u202c`,
  tab: (value: string) => `${value}\t`,
};
const digits = {
  'leading zeros': (value: string): Written => value,
  number: (value: string): Written => ({ number: Number(value), format: '0'.repeat(value.length) }),
};
/** What cells show that have a number. */
const cells = (format: string, has: RegExp, numberOf: (shown: string) => number): Style => ({
  write: (shown) => ({ number: numberOf(shown), format }),
  ...{ has: (shown) => has.test(shown), isRead: true },
});
const inDays = (shown: string) => serial(`1899-12-30T${shown.replace(/^(\d):/, '0$1:').slice(0, 5)}`);
const shownTexts: Record<string, Style> = {
  ...text({ plain: (shown) => shown }, true),
  decimals: cells('0.00', /\./, Number),
  thousands: cells('#,##0', /^\d+$/, Number),
  brackets: cells('0;(0)', /\(/, (shown) => -Number(shown.slice(1, -1))),
  percent: cells('0%', /%/, (shown) => Number.parseInt(shown, 10) / 100),
  hours: cells('h:mm', /^[1-9]\d?:\d\d$/, inDays),
  'twelve hours': cells('h:mm AM/PM', /AM/, inDays),
  minutes: cells('mm:ss', /^\d\d:\d\d$/, (shown) => inDays(shown) / 60),
  yes: cells(YES, /TRUE/, () => 1),
};
const joinedBy = (sign: string) => (list: string) => list.split('; ').join(sign);
const letters = () =>
  Array.from({ length: 4 + below(5) }, () => one([...'abcdefghijklmnopqrstuvwxyz'])).join('');
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const parts = (name: string) => name.split('|') as [string, string];
/** Names whose parts have a sign between them. */
const inOrder = (nameOrder: 'first' | 'last', sign: string, names = /^/): Omit<Style, 'isRead'> => ({
  write: (name) => (nameOrder === 'first' ? parts(name) : parts(name).reverse()).join(sign),
  ...{ has: (name) => names.test(name), answers: { nameOrder } },
});
/** Of two words: others have several readings. */
const SHORT = /^\S+$/;
const CAPITALS = /\|\p{Lu}+$/u;
const fullNames: Record<string, Style> = {
  ...all(
    {
      ...{ 'First Last': inOrder('first', ' ', SHORT), 'Last First': inOrder('last', ' ', SHORT) },
      ...{ 'First  Last': inOrder('first', '  '), 'Last  First': inOrder('last', '  ') },
      ...{ 'LAST First': inOrder('last', ' ', CAPITALS), 'First LAST': inOrder('first', ' ', CAPITALS) },
      'Last, First': inOrder('last', ', '),
    },
    true,
  ),
  'First Last III': { ...inOrder('first', ' ', / III$/), isRead: false },
};
const own = (path: string, styles: Record<string, Style>, value: Target['value']): Target => ({
  path,
  styles,
  value,
});

const TARGETS: Record<string, Target> = {
  'dates of birth': own(
    'participants[0].dateOfBirth',
    different(dates, ['1990-04-12', '1985-12-03', '1979-01-28']),
    day,
  ),
  'days of answers': own(
    'participants[0].fields.arrival',
    Object.fromEntries(Object.entries(dates).filter(([name]) => !/^[a-z]{2}-/.test(name))),
    day,
  ),
  'dates and times': own(
    'bookedAt',
    different(instants, ['2026-04-12T18:05:00', '2026-10-03T00:15:00']),
    instant,
  ),
  times: own('startTime', different(times, ['08:30:00', '17:05:00', '00:15:00']), clock),
  amounts: {
    ...own('participants[0].price', different(amounts, ['4500', '123450', '1200000', '99']), cents),
    values: { 'participants[0].price.currencyCode': 'EUR' },
  },
  numbers: own(
    'participants[0].fields.kilometers',
    different(numbers, ['42.195', '10.5', '1234', '7']),
    number,
  ),
  currencies: {
    ...own(
      'participants[0].price.currencyCode',
      words(
        listed('codes: EUR USD DKK, small: eur usd dkk, signs: € $ kr, names: Euro Dollar Krone'),
        ['EUR', 'USD', 'DKK'],
        (name) => /codes|small/.test(name),
      ),
      () => one(['EUR', 'USD', 'DKK']),
    ),
    values: { 'participants[0].price.value': '4500' },
  },
  genders: own('participants[0].gender', genders, (at) => ['FEMALE', 'MALE'][at % 2] as string),
  countries: own('participants[0].fields.nationality', different(countries, [...REGIONS, '']), () =>
    one([one(REGIONS), one(REGIONS), ...one(CODES).slice(0, 1), one(CODES)[0], '']),
  ),
  'yes and no': own(
    'participants[0].fields.newsletter',
    booleans,
    (at) => ['true', 'false'][at % 2] as string,
  ),
  options: own(
    'participants[0].fields.shirtSize',
    words(
      listed(
        'codes: S M L, small: s m l, labels: Small Medium Large, German: klein mittel groß, numbers: 36 40 44, ' +
          'more: S/P M/M L/G, women: DS DM DL',
      ),
      ['S', 'M', 'L'],
      (name) => /codes|small|labels/.test(name),
    ),
    () => one(['S', 'M', 'L']),
  ),
  'several options': own(
    'participants[0].fields.diet',
    {
      ...text({ semicolons: joinedBy(';'), bars: joinedBy(' | ') }, true),
      ...text({ commas: joinedBy(', '), and: joinedBy(' and '), lines: joinedBy('\n') }, false),
    },
    () => one(['VEGAN', 'VEGAN; NO_NUTS', 'NO_GLUTEN; NO_NUTS']),
  ),
  tags: own(
    'participants[0].tags',
    {
      ...text(
        {
          semicolons: (list) => list,
          bars: joinedBy('|'),
          JSON: (list) => JSON.stringify(list.split('; ')),
        },
        true,
      ),
      ...text({ commas: joinedBy(', '), slashes: joinedBy('/'), lines: joinedBy('\n') }, false),
    },
    () => one(['press', 'press; early bird', 'club; press']),
  ),
  'in lower case': own(
    'label',
    text({ ...ends, capitals: (label) => label.toUpperCase(), capital: (label) => capital(label) }, true),
    letters,
  ),
  emails: own(
    'participants[0].email',
    {
      ...text(ends, true),
      ...text(
        {
          mailto: (email) => `mailto:${email}`,
          brackets: (email) => `<${email}>`,
          'with a name': (email) => `Ada Lee <${email}>`,
          'two, semicolon': (email) => `${email};b@example.org`,
          'two, space': (email) => `${email} b@example.org`,
          'two, comma': (email) => `${email},b@example.org`,
          'two, slash': (email) => `${email}/b@example.org`,
          quoted: (email) => `'${email}'`,
          'full stop': (email) => `${email}.`,
          comma: (email) => `${email},`,
          '(at)': (email) => email.replace('@', '(at)'),
          wide: (email) => email.replace('@', '＠'),
          encoded: (email) => email.replace('@', '%40'),
          markdown: (email) => `[${email}](mailto:${email})`,
        },
        false,
      ),
    },
    () => `${letters()}.${letters()}@example.org`,
  ),
  phones: own(
    'participants[0].fields.phone',
    text({ ...ends, ...digits }, true),
    () => `0${1 + below(9)}${10_000_000 + below(89_000_000)}`,
  ),
  bibs: own(
    'participants[0].bibNumber',
    {
      ...text(
        {
          ...ends,
          cell: (bib) => ({ number: Number(bib), format: '' }),
          'cell of whole numbers': (bib) => ({ number: Number(bib), format: '0' }),
        },
        true,
      ),
      ...text(
        {
          'with decimals': (bib) => `${bib}.0`,
          'with decimals, comma': (bib) => `${bib},0`,
          'cell with decimals': (bib) => ({ number: Number(bib), format: '0.0" "' }),
          'with groups': (bib) => grouped(bib, ','),
          'with groups, point': (bib) => grouped(bib, '.'),
          scientific: (bib) => Number(bib).toExponential(),
          '#': (bib) => `#${bib}`,
          'No.': (bib) => `No. ${bib}`,
          formula: (bib) => `="${bib}"`,
        },
        false,
      ),
    },
    () => String(1 + below(30_000)),
  ),
  'first names': own('participants[0].firstName', text(ends, true), () => one(NAMES)),
  texts: own('metadata.note', text({ ...ends, ...digits }, true), () => `00${1 + below(30_000)}`),
  'texts of cells': own('metadata.note', shownTexts, () => {
    const [number, minutes] = [1 + below(11), two(below(60))];
    const numbers = [`${number}.${minutes}`, `${number}0${minutes}`, `(${number})`, `${number}%`];
    return one([
      ...numbers,
      `${number}:${minutes}`,
      `${number}:${minutes} AM`,
      `${two(number)}:${minutes}`,
      'TRUE',
    ]);
  }),
  'whole names': {
    ...own('participants[0].name', fullNames, () => {
      const [first, last, other] = [letters(), letters(), letters()].map(capital) as [string, string, string];
      const further = [`${last} ${other}`, last.toUpperCase(), `${last} III`];
      return `${one([first, first, first, 'JJ'])}|${one([last, last, ...further])}`;
    }),
    text: (value) => Object.values(value as object).join('|'),
  },
};

/** Each with its key, its type, and the values of its options with their labels. */
const QUESTIONS = [
  'gender SELECT FEMALE=Female MALE=Male DIVERSE=Diverse',
  ...['nationality COUNTRY', 'kilometers NUMBER', 'newsletter BOOLEAN', 'arrival DATE', 'phone PHONE'],
  ...[
    'shirtSize SELECT S=Small M=Medium L=Large',
    'diet MULTI_SELECT VEGAN=Vegan NO_GLUTEN=No_gluten NO_NUTS=No_nuts',
  ],
].map((question) => {
  const [key = '', type = '', ...options] = question.split(' ');
  const labels = options.map((words) => words.split('=') as [string, string]);
  return { key, label: capital(key), type, options: labels.map(([value, label]) => ({ value, label })) };
});
const FIELDS: SheetField[] = [
  ...['externalBookingId', 'participants[0].firstName', 'participants[0].lastName'],
  ...['participants[0].bibNumber', 'participants[0].gender'],
].map((path) => ({ path, type: 'string', required: false }));
const BOOKINGS = withAnswers(
  {
    collection: 'bookings',
    identity: ['externalBookingId'],
    fields: withAmounts([
      ...FIELDS,
      { path: 'participants[0].email', type: 'string', format: 'email', required: false },
      { path: 'participants[0].dateOfBirth', type: 'string', format: 'date', required: false },
      { path: 'participants[0].price.value', type: 'integer', required: false },
      {
        ...{ path: 'participants[0].price.currencyCode', type: 'string', required: false },
        values: ['AUD', 'CAD', 'DKK', 'EUR', 'GBP', 'INR', 'MXN', 'PHP', 'USD', 'ZERO'],
      },
      { path: 'participants[0].tags', type: 'list', required: false },
      { path: 'bookedAt', type: 'string', format: 'date-time', required: false },
      { path: 'startTime', type: 'string', format: 'time', required: false },
      { path: 'label', type: 'string', format: 'lower-case', required: false },
    ]),
  },
  QUESTIONS,
);

/** A column of a file: values in one style, of which one may be in another. */
interface Column {
  target: Target;
  name: string;
  style: Style;
  odd?: { style: Style; place: number };
  values: string[];
  cells: Written[];
}

function columnOf(
  target: Target,
  [name, style]: [string, Style],
  size: number,
  odd?: [string, Style],
): Column | undefined {
  const fits = ({ has, only }: Style, at: number) => {
    if (only) return one(only);
    for (let tries = 0; tries < 60; tries += 1) {
      const value = target.value(at + tries);
      if (!has || has(value)) return value;
    }
    return undefined;
  };
  const place = odd ? below(size) : -1;
  const styles = Array.from({ length: size }, (_, at) => (odd && at === place ? odd[1] : style));
  const values = styles.map(fits);
  // Some are repeated, so that their cells can be merged.
  for (const at of styles.keys())
    if (at % 2 === 1 && styles[at] === styles[at - 1] && below(4) === 0) values[at] = values[at - 1];
  if (values.includes(undefined)) return undefined;
  const known = values as string[];
  const cells = styles.map(({ write }, at) => write(known[at] as string));
  const names = odd ? `${name} with ${odd[0]}` : name;
  return { target, name: names, style, values: known, cells, ...(odd && { odd: { style: odd[1], place } }) };
}

/** The bytes of a file in one of the ways in which files are written. */
function fileOf(columns: Column[]): Uint8Array {
  const height = Math.max(...columns.map(({ cells }) => cells.length));
  const rows = Array.from({ length: height }, (_, at) => columns.map(({ cells }) => cells[at] ?? ''));
  const table: Written[][] = [columns.map((_, at) => `Column c${at}`), ...rows];
  return table.flat().some((cell) => typeof cell !== 'string') || below(5) === 0
    ? workbook(table)
    : csv(table as string[][]);
}
function csv(table: string[][]): Uint8Array {
  const [delimiter, end, quotes] = [one([',', ';', '\t', '|']), one(['\r\n', '\n', '\r']), below(2) === 0];
  const written = (cell: string) =>
    quotes || /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = table.map((cells) => cells.map(written).join(delimiter));
  const content = `${below(4) === 0 ? `sep=${delimiter}\r\n` : ''}${lines.join(end)}${end}`;
  const encoding = one(['utf8', 'utf8', 'utf16le']);
  return new Uint8Array(
    Buffer.from(`${encoding === 'utf8' && below(2) ? '' : '\ufeff'}${content}`, encoding as BufferEncoding),
  );
}
const escaped = (content: string) => content.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
function workbook(table: Written[][]): Uint8Array {
  const formats = [...new Set(table.flat().flatMap((cell) => (typeof cell === 'string' ? [] : cell.format)))];
  const cellOf = (cell: Written) =>
    typeof cell === 'string'
      ? `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
      : `<c s="${formats.indexOf(cell.format) + 1}"${cell.format === YES ? ' t="b"' : ''}><v>${cell.number}</v></c>`;
  const merges: string[] = [];
  /** Pairs of equal cells can be merged: the first one has the value. */
  const cellAt = (cell: Written, x: number, y: number) => {
    const before = y > 0 && y % 2 === 0 ? table[y - 1]?.[x] : undefined;
    const isSame = JSON.stringify(before) === JSON.stringify(cell);
    if (!isSame || x === 0 || table[y]?.[0] === '' || below(3) > 0) return cellOf(cell);
    const letters = (x < 26 ? '' : String.fromCharCode(64 + x / 26)) + String.fromCharCode(65 + (x % 26));
    merges.push(`<mergeCell ref="${letters}${y}:${letters}${y + 1}"/>`);
    return '<c/>';
  };
  const rows = table.map((cells, y) => `<row>${cells.map((cell, x) => cellAt(cell, x, y)).join('')}</row>`);
  const files = {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/s.xml"/><Relationship Id="b" Type="x/styles" Target="styles.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet><numFmts>${formats.map((format, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escaped(format)}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((format, at) => `<xf numFmtId="${format ? 200 + at : 0}"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/s.xml': `<worksheet><sheetData>${rows.join('')}</sheetData><mergeCells>${merges.join('')}</mergeCells></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])), {
    level: 0,
  });
}

const at = (body: Body, path: string): unknown => {
  const [participant = {}] = (body.participants ?? []) as Body[];
  if (path === 'participants[0].name')
    return participant.firstName === undefined
      ? undefined
      : { first: participant.firstName, last: participant.lastName };
  if (path === 'metadata.note') return (body.metadata as Body | undefined)?.note;
  const [, key] = /\.fields\.(\w+)$/.exec(path) ?? [];
  if (key) return (participant.fields as Body[] | undefined)?.find((answer) => answer.key === key)?.value;
  const [, inner, name = ''] = /^participants\[0\]\.(?:(\w+)\.)?(\w+)$/.exec(path) ?? [];
  if (inner) return (participant[inner] as Body | undefined)?.[name];
  if (name === 'price') return (participant.price as Body | undefined)?.value;
  return name ? participant[name] : body[path];
};
/** Without case, zeros before days and months, and with one space between words. */
const lower = (cell: Written | undefined) =>
  JSON.stringify(cell)
    .toLowerCase()
    .replace(/ +/g, ' ')
    .replace(
      /^"(\d\d?)([/.-])(\d\d?)\2/,
      (_, one, sign, other) => `"${Number(one)}${sign}${Number(other)}${sign}`,
    );
const shown = (value: unknown) => (Array.isArray(value) ? value.join('; ') : String(value));

/** What became of the values of a column: how many are equal, and which became another value without a question. */
function compared(
  sheet: Sheet,
  position: number,
  { target, style, odd, values, cells }: Column,
  mapping: Partial<FileMapping>,
) {
  const column = sheet.columns[position] ?? '';
  const rows = sheet.rows
    .slice(0, values.length)
    .map((row): SheetRow => ({ ...row, cells: [row.cells[position] ?? ''], shown: [row.shown?.[position]] }));
  const own = {
    ...sheet,
    columns: [column],
    rows,
    notices: sheet.notices.filter((notice) => notice.column === column),
  };
  const plan = planOf(
    own,
    BOOKINGS,
    { columns: { [column]: target.path }, values: target.values, ...mapping },
    { today: '2026-11-23' },
  );
  // A person has seen it, and what the answer makes of it.
  const asked = new Set([
    ...plan.questions.flatMap((question) => (question.kind === 'outside' ? question.values : [])),
    ...plan.readings.flatMap(({ examples }) => examples),
  ]);
  const other: string[] = [];
  const reads = new Map<number, string>();
  let [equal, altered] = [0, 0];
  for (const { rows, body } of plan.items) {
    const row = rows[0] as SheetRow;
    const index = own.rows.indexOf(row);
    const value = at(body, target.path);
    const known = values[index] ?? '';
    if (typeof value === 'string' && value !== (row.shown?.[0] ?? textOf(row.cells[0]))) altered += 1;
    if (value === undefined) equal += cells[index] === '' ? 1 : 0;
    else {
      const read = (target.text ?? shown)(value);
      reads.set(index, read);
      // A text that means the other value in the style of its column can't be told apart.
      const isMeant = ({ write }: Style) => lower(write(read)) === lower(cells[index]);
      const isOfColumn = () => isMeant(style) || (odd !== undefined && isMeant(odd.style));
      if (read === known) equal += 1;
      else if (!asked.has(String(row.cells[0]).trim()) && !isOfColumn())
        other.push(`${JSON.stringify(cells[index])} of ${known} is ${read}`);
    }
  }
  // With its odd cell, the column can be one of another style as a whole: nothing in it tells that it isn't.
  const isOther = ({ write }: Style) =>
    cells.every((cell, index) => lower(write(reads.get(index) ?? '')) === lower(cell));
  const isRead = odd !== undefined && reads.size === cells.length;
  if (other.length > 0 && isRead && Object.values(target.styles).some(isOther)) other.length = 0;
  const [{ changed = 0 } = {}] = plan.conversions;
  if (altered > changed) other.push(`${altered} values are altered, of which the ledger has ${changed}`);
  return { plan, equal, other };
}

/** What a person answers who knows the style of the values that a question shows. */
function answersTo({ questions }: Plan, { style, odd }: Column, texts: string[]): Choices | undefined {
  const readings = questions.filter((question) => question.kind === 'reading');
  if (readings.length === 0) return undefined;
  const oddText = texts[odd?.place ?? 0];
  const isAlone = odd && texts.filter((text) => text === oddText).length === 1;
  const entries = readings.map(({ open, examples }) => {
    const { answers } = isAlone && examples.every((text) => text === oddText) ? odd.style : style;
    return [open, answers?.[open]];
  });
  return Object.fromEntries(entries);
}

async function compareAll(columns: Column[]) {
  const counts = { values: 0, equal: 0 };
  const faults: string[] = [];
  for (let from = 0; from < columns.length; from += 200) {
    const part = columns.slice(from, from + 200);
    const sheet = await readSheet(fileOf(part));
    for (const [position, column] of part.entries()) {
      const name = sheet.columns[position] ?? '';
      const first = compared(sheet, position, column, {});
      const texts = sheet.rows.map(({ cells }) => String(cells[position] ?? '').trim());
      const answers = answersTo(first.plan, column, texts);
      const answered = answers ? compared(sheet, position, column, { readings: { [name]: answers } }) : first;
      const wrong = [...first.other, ...answered.other];
      if (wrong.length > 0)
        faults.push(
          `${column.target.path}, ${column.name}: ${wrong[0]} (${JSON.stringify(column.cells.slice(0, 8))})`,
        );
      const size = column.values.length;
      if (!column.name.includes(' with ') && column.style.isRead && answered.equal < size) {
        const reason =
          answered.plan.failed[0]?.mistakes[0]?.message ?? JSON.stringify(answered.plan.questions);
        faults.push(
          `${column.target.path}, ${column.name}: ${size - answered.equal} of ${size} not read: ${reason}`,
        );
      }
      counts.values += size;
      counts.equal += answered.equal;
    }
  }
  return { counts, faults };
}

/** Which of two styles has one cell of the other: each of them in a release, one by the seed otherwise. */
function pairsOf<S>(one: S, other: S): [S, S][] {
  const both: [S, S][] = [
    [one, other],
    [other, one],
  ];
  return process.env.SEED ? both : [both[below(2)] as [S, S]];
}

/**
 * Compares values of a target in all of its styles, and columns of one style with one cell of another. The tests are in two files, which run
 * beside each other.
 *
 * @param half which targets
 * @param least how many values they have; together 100,000
 */
export function describeStyles(half: 0 | 1, least: number): void {
  const targets = Object.entries(TARGETS).filter((_, at) => at % 2 === half);
  describe(`values in all styles (SEED=${SEED})`, () => {
    let total = 0;
    it.each(targets)('%s: equal, asked or refused, and never another', async (_name, target) => {
      const styles = Object.entries(target.styles);
      const columns = styles.flatMap((style, at) => [
        columnOf(target, style, 200),
        ...styles
          .slice(at + 1)
          .flatMap((odd) => pairsOf(style, odd).map((pair) => columnOf(target, pair[0], 5, pair[1]))),
      ]);
      const known = columns.filter((column) => column !== undefined);
      // Columns that are alike are in one file.
      const cost = ({ cells }: Column) =>
        cells.length + (cells.some((cell) => typeof cell !== 'string') ? 0.5 : 0);
      const { counts, faults } = await compareAll(known.sort((a, b) => cost(a) - cost(b)));
      total += counts.values;
      expect(faults).toEqual([]);
    });
    it(`compares ${least} values`, () => expect(total).toBeGreaterThan(least));
  });
}
