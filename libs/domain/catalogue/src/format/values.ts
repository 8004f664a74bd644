import { FormatRegistry, type TSchema, Type } from '@sinclair/typebox';
import countries from 'i18n-iso-countries/index';
import { LRUCache } from 'lru-cache';
import {
  CURRENCY_CODES,
  instantOf,
  isEmail,
  isId,
  isPlainDate,
  jsonBytes,
  MAXIMA,
  MOST_BYTES,
} from '#platform/validation';
import { isSlug } from '../slug';

const DATE = /^[1-9]\d{3}-\d\d-\d\d$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const DATE_TIME = /^([1-9]\d{3}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;

const isDate = (text: string): boolean => DATE.test(text) && isPlainDate(text);

const isDateTime = (text: string): boolean => {
  const [, date = '', time = ''] = DATE_TIME.exec(text) ?? [];
  // Its instant must have a year of four digits, too.
  return isDate(date) && TIME.test(time) && instantOf(text) !== undefined;
};

/** Those that were used. `Intl` knows a few hundred, but accepts each in any capitalization. */
const timeZones = new LRUCache<string, true>({ max: 1_000 });
const isTimeZone = (name: string): boolean => {
  const isKnown = timeZones.get(name) || (/^[A-Za-z]/.test(name) && canFormat(name));
  if (isKnown) timeZones.set(name, true);
  return isKnown;
};
const canFormat = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
};

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

/** Whether the text has at most this many bytes in JSON, without its quotation marks. */
const fits = (text: string, most: number): boolean => jsonBytes(text) <= most + 2;

FormatRegistry.Set('id', isId);
FormatRegistry.Set('title', (text) => fits(text, MOST_BYTES.title));
FormatRegistry.Set('slug', isSlug);
FormatRegistry.Set('date', isDate);
FormatRegistry.Set('time', (text) => TIME.test(text));
FormatRegistry.Set('date-time', isDateTime);
FormatRegistry.Set('time-zone', isTimeZone);
FormatRegistry.Set('uri', isWebAddress);
FormatRegistry.Set('link', (text) => isWebAddress(text) && fits(text, MOST_BYTES.link));
FormatRegistry.Set('code', (text) => fits(text, MOST_BYTES.code));
FormatRegistry.Set('email', isEmail);
FormatRegistry.Set('country', (text) => /^[A-Z]{2}$/.test(text) && countries.isValid(text));

/** The rule of a value, for messages. */
const rule = (text: string) => ({ rule: `must be ${text}` });

export const Id = Type.String({ format: 'id', maxLength: 36, ...rule('an id (UUID version 7, lower case)') });
export const Slug = Type.String({
  format: 'slug',
  maxLength: 100,
  ...rule('a slug: letters and digits joined by single hyphens, at most 100 characters'),
});
export const Title = Type.String({
  pattern: '\\S',
  maxLength: 500,
  format: 'title',
  ...rule(`text of 1 to 500 characters and at most ${MOST_BYTES.title} bytes`),
});
export const Text = Type.String({ maxLength: 100_000, ...rule('text of at most 100,000 characters') });
export const ShortText = Type.String({ maxLength: 500, ...rule('text of at most 500 characters') });
export const PlainDate = Type.String({
  format: 'date',
  maxLength: 10,
  ...rule('a date that exists, YYYY-MM-DD'),
});
export const PlainTime = Type.String({ format: 'time', maxLength: 8, ...rule('a time, HH:MM:SS') });
export const DateTime = Type.String({
  format: 'date-time',
  maxLength: 36,
  ...rule('a date-time that exists, with at most six fraction digits, such as 2027-05-01T09:00:00Z'),
});
export const TimeZone = Type.String({
  format: 'time-zone',
  maxLength: 64,
  ...rule('an IANA time zone, such as Europe/Paris'),
});
export const WebAddress = Type.String({
  format: 'uri',
  maxLength: 2_000,
  ...rule('a web address (http or https)'),
});
/** A link that entries show. */
export const Link = Type.String({
  format: 'link',
  maxLength: MOST_BYTES.link,
  ...rule(`a web address (http or https) of at most ${MOST_BYTES.link} bytes`),
});
export const Code = Type.String({
  pattern: '\\S',
  maxLength: MOST_BYTES.code,
  format: 'code',
  ...rule(`text of 1 to ${MOST_BYTES.code} bytes`),
});
export const Email = Type.String({ format: 'email', maxLength: 254, ...rule('an email address') });
export const CountryCode = Type.String({
  format: 'country',
  maxLength: 2,
  ...rule('a country code of ISO 3166, two capital letters'),
});
export const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, ...rule('a whole number from 0') });
export const Flag = Type.Boolean(rule('true or false'));
export const OneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      rule(`one of ${values.join(', ')}`),
    ),
  );
/** An optional property; `null` counts as absent. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const List = <T extends TSchema>(items: T, most: number, description?: string) =>
  Type.Array(items, {
    maxItems: most,
    ...(description && { description }),
    ...rule(`a list of at most ${most}`),
  });

/** Minor units; `ZERO` is the currency of free items. */
export const Price = Type.Object(
  {
    value: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000_000,
      ...rule('a whole number from 0 (minor units)'),
    }),
    currencyCode: OneOf(CURRENCY_CODES),
  },
  { additionalProperties: false },
);

export const TitleByLocale = Type.Record(
  Type.String({ pattern: '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$' }),
  Title,
  {
    additionalProperties: false,
    maxProperties: MAXIMA.locales,
    description: 'Locale, such as en-GB, to title.',
    ...rule(`an object of at most ${MAXIMA.locales} locales`),
  },
);
