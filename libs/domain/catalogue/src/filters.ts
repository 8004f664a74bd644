import { date, dateTime, type Filter } from '#platform/queries';

/** Occurrences by the day they start, both ends included. */
export const START_DATE_FILTERS = {
  'startDate[gte]': {
    parameter: date('Only occurrences that start on this date or later.'),
    where: (value) => `t.start_date >= ${value}::date`,
  },
  'startDate[lte]': {
    parameter: date('Only occurrences that start on this date or earlier.'),
    where: (value) => `t.start_date <= ${value}::date`,
  },
} satisfies Record<string, Filter>;

/** Occurrences by their last change, both ends included. */
export const LAST_MODIFIED_FILTERS = {
  'lastModified[gte]': {
    parameter: dateTime(
      'Only occurrences that changed at this time or later. Changes of their races and tickets count.',
      'up',
    ),
    where: (value) => `t.updated_at >= ${value}::timestamptz`,
  },
  'lastModified[lte]': {
    parameter: dateTime(
      'Only occurrences that changed at this time or earlier. Changes of their races and tickets count.',
    ),
    where: (value) => `t.updated_at <= ${value}::timestamptz`,
  },
} satisfies Record<string, Filter>;
