import { checkoutUrl, occurrenceSummary, raceSummaries } from '#libs/events';
import { date, dateTime, type ListDeclaration, type Resource } from '#libs/http';
import { OrganizerEventOccurrence, OrganizerEventOccurrenceSummary } from './event-occurrences.dto';

const SUMMARY: Resource = {
  schema: OrganizerEventOccurrenceSummary,
  from: 'event_occurrences t',
  select: occurrenceSummary('t'),
  where: 't.start_date IS NOT NULL',
};

/** Takes `checkoutTemplate` among its values. */
export const EVENT_OCCURRENCE: Resource = {
  schema: OrganizerEventOccurrence,
  from: 'event_occurrences t',
  select: (values, bind) => `${occurrenceSummary('t')},
    ${checkoutUrl('t', bind(values.checkoutTemplate))} AS "checkoutUrl",
    ${raceSummaries('t')} AS "races"`,
};

/** Published and draft, discoverable or not, past and to come; only those without a start date are left out. */
export const EVENT_OCCURRENCES: ListDeclaration = {
  name: 'eventOccurrences',
  schemaName: 'PagedOrganizerEventOccurrenceSummaries',
  of: SUMMARY,
  order: { sql: 't.start_date', type: 'date' },
  size: { default: 100, max: 200 },
  paging: {
    size: ['page[size]', 'pageSize'],
    after: ['page[after]', 'cursor[after]'],
    before: ['page[before]', 'cursor[before]'],
  },
  filters: {
    'startDate[gte]': {
      parameter: date('Only those that start on this day or later.'),
      where: (value) => `t.start_date >= ${value}::date`,
    },
    'startDate[lte]': {
      parameter: date('Only those that start on this day or earlier.'),
      where: (value) => `t.start_date <= ${value}::date`,
    },
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
  },
};
