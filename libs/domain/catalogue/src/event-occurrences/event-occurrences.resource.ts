import type { ListDeclaration, Resource } from '#platform/queries';
import { checkoutUrl } from '../checkout-url';
import { LAST_MODIFIED_FILTERS, START_DATE_FILTERS } from '../filters';
import { occurrenceSummary, raceSummaries } from '../sql';
import { OrganizerEventOccurrence, OrganizerEventOccurrenceSummary } from './event-occurrences.dto';

/** Drafts are only in the organizer's responses; the marketplace lists published occurrences. */
export const STATUS = `coalesce(t.called_off, CASE WHEN t.published THEN 'PUBLISHED' ELSE 'DRAFT' END) AS "status"`;

const SUMMARY: Resource = {
  schema: OrganizerEventOccurrenceSummary,
  from: 'event_occurrences t',
  select: `${occurrenceSummary('t')}, ${STATUS}`,
  where: 't.start_date IS NOT NULL',
};

/** Takes `checkoutTemplate` among its values. */
export const EVENT_OCCURRENCE: Resource = {
  schema: OrganizerEventOccurrence,
  from: 'event_occurrences t',
  select: (values, bind) => `${occurrenceSummary('t')},
    ${STATUS},
    t.event_id AS "eventId",
    t.time_zone AS "timeZone",
    ${checkoutUrl('t', bind(values.checkoutTemplate))} AS "checkoutUrl",
    ${raceSummaries('t')} AS "races"`,
};

/** All occurrences with a start date, including drafts, past ones, and ones that are not discoverable. */
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
  filters: { ...START_DATE_FILTERS, ...LAST_MODIFIED_FILTERS },
};
