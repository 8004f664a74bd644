import {
  type Filter,
  instant,
  type ListDeclaration,
  oneOf,
  type Resource,
  type Values,
} from '#platform/queries';
import { checkoutUrl, DEFAULT_COUNTRY } from '../checkout-url';
import { country } from '../country';
import { LAST_MODIFIED_FILTERS, START_DATE_FILTERS } from '../filters';
import { SPORT_DISCIPLINES } from '../shapes.dto';
import { isUpcoming, MARKETPLACE, occurrenceSummary, raceSummaries, TODAY_IN_UTC } from '../sql';
import { MarketplaceEvent, RemovedEvent } from './marketplace.dto';
import { searchText } from './search-text';

/** Takes `checkoutTemplate` among its values. */
const MARKETPLACE_EVENT: Resource = {
  schema: MarketplaceEvent,
  from: `${MARKETPLACE.occurrences} t`,
  ofEveryOrganization: true,
  joins: `JOIN ${MARKETPLACE.organizations} o ON o.id = t.organization_id`,
  select: (values, bind) => `${occurrenceSummary('t', MARKETPLACE)},
    ${checkoutUrl('t', bind(values.checkoutTemplate), MARKETPLACE.organizations)} AS "checkoutUrl",
    ${raceSummaries('t', MARKETPLACE)} AS "races",
    o.id AS "organizer.id",
    o.name AS "organizer.title",
    o.website AS "organizer.website",
    o.logo_url AS "organizer.images.logoUrl"`,
  omitNulls: true,
};

/** The order is that of the first day, and the bound lets the list begin at the earliest occurrence that is not over. */
const UPCOMING = `t.start_date >= least(${TODAY_IN_UTC} - 1, (SELECT min(several.start_date) FROM ${MARKETPLACE.occurrences} several
      WHERE several.last_start_date > several.start_date AND several.last_start_date >= ${TODAY_IN_UTC} - 1))
    AND ${isUpcoming('t')}`;

/** Upcoming occurrences, unless `startDate[gte]` is set or `startDate[lte]` is in the past. */
function beginning(values: Values): string {
  const { 'startDate[gte]': from, 'startDate[lte]': to } = values;
  const isPast = typeof to === 'string' && to < new Date().toISOString().slice(0, 10);
  return from !== undefined || isPast ? 't.start_date IS NOT NULL' : UPCOMING;
}

const LINKS = {
  countryCode: country('The country of the checkout that `checkoutUrl` links to.', {
    default: DEFAULT_COUNTRY,
  }),
};

const IN_COUNTRY: Record<string, Filter> = {
  locationCountryCode: {
    parameter: country('Only events in this country.'),
    where: (value) => `lower(t.address->>'countryCode') = ${value}`,
  },
};

export const MARKETPLACE_EVENTS: ListDeclaration = {
  name: 'marketplaceEvents',
  schemaName: 'MarketplaceEvents',
  of: MARKETPLACE_EVENT,
  where: (_bind, values) => beginning(values),
  order: { sql: 't.start_date', type: 'date' },
  filters: { ...START_DATE_FILTERS, ...LAST_MODIFIED_FILTERS, ...IN_COUNTRY },
  shows: LINKS,
  size: { default: 10, max: 200 },
  paging: { size: ['pageSize'], after: ['cursor[after]'], before: ['cursor[before]'] },
  envelope: 'brief',
};

/** What mirrors of the list have to delete: in the same order, with the same filters, and never in the list at the same time. */
export const REMOVED_EVENTS: ListDeclaration = {
  name: 'removedEvents',
  schemaName: 'RemovedMarketplaceEvents',
  of: {
    schema: RemovedEvent,
    from: 'marketplace_removed t',
    ofEveryOrganization: true,
    select: `t.id AS "id", t.start_date AS "startDate", ${instant('t.updated_at')} AS "lastModified"`,
  },
  order: { sql: 't.start_date', type: 'date' },
  filters: { ...START_DATE_FILTERS, ...LAST_MODIFIED_FILTERS },
  size: { default: 10, max: 200 },
  paging: { size: ['pageSize'], after: ['cursor[after]'], before: ['cursor[before]'] },
  envelope: 'brief',
};

/**
 * Takes a `SearchQuery` among its values. A better match has a higher sort key: exact words rank above prefixes, and
 * prefixes above corrected words. Words of the title rank above city and races, then tags, then the name of the
 * organizer.
 */
export const FOUND_EVENTS: ListDeclaration = {
  name: 'foundEvents',
  schemaName: 'FoundMarketplaceEvents',
  of: MARKETPLACE_EVENT,
  where: (_bind, values) => beginning(values),
  order: {
    sql: (bind, values) => `(1000000 * (
      4 * ts_rank(t.search_words, ${bind(values.words)}::tsquery) +
      2 * ts_rank(t.search_words, ${bind(values.beginnings)}::tsquery) +
      ts_rank(t.search_words, ${bind(values.query)}::tsquery)))::int`,
    type: 'integer',
  },
  newestFirst: true,
  filters: {
    query: {
      parameter: searchText,
      where: (query) => `t.search_words @@ ${query}::tsquery`,
    },
    ...START_DATE_FILTERS,
    ...IN_COUNTRY,
    discipline: {
      parameter: oneOf('Only events with a race of this discipline.', SPORT_DISCIPLINES),
      where: (
        value,
      ) => `EXISTS (SELECT FROM ${MARKETPLACE.races} r WHERE r.organization_id = t.organization_id
        AND r.event_occurrence_id = t.id AND r.discipline = ${value})`,
    },
  },
  shows: LINKS,
  size: { default: 20, max: 200 },
  paging: { size: ['pageSize'], after: ['searchAfter'], before: ['searchBefore'], skip: 'skip' },
  envelope: 'brief',
};
