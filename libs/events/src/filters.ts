import { date, dateTime, type Filter } from '#libs/resources';

/** Occurrences by the day they start, both ends included. */
export const START_DATE_FILTERS = {
  'startDate[gte]': {
    parameter: date('Only those that start on this day or later.'),
    where: (value) => `t.start_date >= ${value}::date`,
  },
  'startDate[lte]': {
    parameter: date('Only those that start on this day or earlier.'),
    where: (value) => `t.start_date <= ${value}::date`,
  },
} satisfies Record<string, Filter>;

/** Occurrences by their last change, both ends included. */
export const LAST_MODIFIED_FILTERS = {
  'lastModified[gte]': {
    parameter: dateTime(
      'Only those changed at this moment or later, their races and tickets included.',
      'up',
    ),
    where: (value) => `t.updated_at >= ${value}::timestamptz`,
  },
  'lastModified[lte]': {
    parameter: dateTime('Only those changed at this moment or earlier, their races and tickets included.'),
    where: (value) => `t.updated_at <= ${value}::timestamptz`,
  },
} satisfies Record<string, Filter>;
