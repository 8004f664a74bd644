import { BIB_NUMBER, BIB_NUMBER_RULE } from './values/bib-number';
import { trimmed } from './values/compared';
import { isEmail } from './values/emails';
import { isId } from './values/ids';
import { instantOf, isPlainDate } from './values/times';
import { isUrl } from './values/urls';

/** A format of the schemas: the most characters of a text that has it, and the check, whose time is linear. */
interface Format {
  longest: number;
  fits(text: string): boolean;
  /** White space and invisible characters around the text do not count. */
  trims?: true;
  rule: string;
}

const DECLARED: Record<string, Format> = {
  uuid: { longest: 36, fits: isId, rule: 'must be a UUID' },
  'date-time': {
    longest: 36,
    fits: (text) => instantOf(text) !== undefined,
    rule: 'must be an ISO 8601 date-time such as 2026-05-04T09:30:00Z',
  },
  date: { longest: 10, fits: isPlainDate, rule: 'must be a date that exists, as YYYY-MM-DD' },
  email: { longest: 254, fits: isEmail, trims: true, rule: 'must be an email address' },
  uri: { longest: 2_000, fits: isUrl, rule: 'must be a URL' },
};

/** The most characters of a text of the format; undefined for an unknown format. */
export const longestOf = (format: unknown): number | undefined => DECLARED[format as string]?.longest;

/** The formats of the schemas. A text that is too long for its format does not have it. */
export const FORMATS = Object.fromEntries(
  Object.entries(DECLARED).map(([name, { longest, fits, trims }]) => [
    name,
    (given: string) => {
      const text = trims ? trimmed(given) : given;
      return text.length <= longest && fits(text);
    },
  ]),
);

export const FORMAT_RULES: Record<string, string> = Object.fromEntries(
  Object.entries(DECLARED).map(([name, { rule }]) => [name, rule]),
);

export const EMPTY_OR_VISIBLE = /^$|\S/;

/** Descriptions of the patterns of the schemas, for messages. */
export const PATTERN_RULES: Record<string, string> = {
  [BIB_NUMBER.source]: BIB_NUMBER_RULE,
  [EMPTY_OR_VISIBLE.source]: 'must not be white space alone',
  '^(\\S).+$': 'must have at least two characters, the first of which is not a space',
};
