import { BIB_NUMBER, BIB_NUMBER_RULE, instantOf, isEmail, isId, isPlainDate } from '#libs/input';

/** The formats of the schemas. */
export const FORMATS: Record<string, (text: string) => boolean> = {
  uuid: isId,
  'date-time': (text) => instantOf(text) !== undefined,
  date: isPlainDate,
  email: (text) => isEmail(text.trim()),
  uri: URL.canParse,
};

export const FORMAT_RULES: Record<string, string> = {
  uuid: 'must be a UUID',
  'date-time': 'must be an ISO 8601 date-time such as 2026-05-04T09:30:00Z',
  date: 'must be a date that exists, as YYYY-MM-DD',
  email: 'must be an email address',
  uri: 'must be a URL',
};

/** Descriptions of the patterns of the schemas, for messages. */
export const PATTERN_RULES: Record<string, string> = {
  [BIB_NUMBER.source]: BIB_NUMBER_RULE,
  '^(\\S).+$': 'must have at least two characters, the first of which is not a space',
};
