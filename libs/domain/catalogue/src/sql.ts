import { price } from '#platform/queries';
import { CURRENCY_CODES } from '#platform/validation';

/*
 * SQL expressions of the shapes. Each takes the alias of a row. Parts of an event omit properties without a value
 * (docs/interface.md#conventions).
 */

/** Where the rows are read: the organization's tables, or the marketplace's views. */
type Tables = Record<'occurrences' | 'races' | 'tickets' | 'organizations', string>;
const OWN: Tables = {
  occurrences: 'event_occurrences',
  races: 'races',
  tickets: 'tickets',
  organizations: 'organizations',
};
export const MARKETPLACE: Tables = {
  occurrences: 'marketplace_occurrences',
  races: 'marketplace_races',
  tickets: 'marketplace_tickets',
  organizations: 'marketplace_organizations',
};

export const TODAY_IN_UTC = `(now() AT TIME ZONE 'UTC')::date`;

/**
 * Whether the last race of the occurrence starts today, in its time zone, or later. The first two comparisons decide nearly all rows
 * without the time zone, because no zone is more than a day away from UTC.
 */
export const isUpcoming = (
  occurrence: string,
): string => `${occurrence}.last_start_date >= ${TODAY_IN_UTC} - 1
    AND (${occurrence}.last_start_date > ${TODAY_IN_UTC}
      OR ${occurrence}.last_start_date >= (now() AT TIME ZONE ${occurrence}.time_zone)::date)`;

/**
 * Titles by locale. Always includes the default title, under `en-GB` unless that is a translation.
 */
export const titleByLocale = (row: string): string => `CASE
    WHEN ${row}.title_by_locale ? 'en-GB'
      AND EXISTS (SELECT FROM jsonb_each_text(${row}.title_by_locale) known WHERE known.value = ${row}.title)
    THEN ${row}.title_by_locale
    ELSE ${row}.title_by_locale || jsonb_build_object('en-GB', ${row}.title)
  END`;

export const location = (occurrence: string): string => `json_strip_nulls(json_build_object(
    'coordinates', CASE WHEN ${occurrence}.latitude IS NOT NULL AND ${occurrence}.longitude IS NOT NULL
      THEN json_build_object('latitude', ${occurrence}.latitude, 'longitude', ${occurrence}.longitude) END,
    'address', ${occurrence}.address))`;

/** Other images, without the hero image and the logo. */
export const images = (occurrence: string): string => `json_strip_nulls(json_build_object(
    'hero', ${occurrence}.hero_url, 'logo', ${occurrence}.logo_url,
    'all', array_remove(array_remove(${occurrence}.image_urls, ${occurrence}.hero_url), ${occurrence}.logo_url)))`;

export const distance = (race: string): string => `json_strip_nulls(json_build_object(
    'value', trim_scale(${race}.distance_value), 'unit', ${race}.distance_unit))`;

const EURO = 'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' ');
/** The first letters of a currency are its country, but for two. */
const OF_ONE_COUNTRY = CURRENCY_CODES.filter((code) => code !== 'EUR' && code !== 'ZERO');

/** The currency of the country; `null` if it is not supported. */
const homeCurrency = (occurrence: string): string => `CASE upper(${occurrence}.address->>'countryCode')
    ${OF_ONE_COUNTRY.map((currency) => `WHEN '${currency.slice(0, 2)}' THEN '${currency}'`).join(' ')}
    ${EURO.map((country) => `WHEN '${country}' THEN 'EUR'`).join(' ')} END`;

/**
 * From the lowest to the highest price of the tickets that match the condition, in one currency; `k` is the ticket.
 * Tickets that are on sale or will be take precedence; then those in the home currency; then the most frequent
 * currency, with `ZERO` last.
 */
const priceRange = (condition: string, home: string, tables: Tables): string => `(
  SELECT json_strip_nulls(json_build_object(
    'min', (array_agg(${price('k.price_value', 'k.currency_code')} ORDER BY k.price_value, k.id))[1],
    'max', (array_agg(${price('k.price_value', 'k.currency_code')} ORDER BY k.price_value DESC, k.id))[1]))
  FROM (
    SELECT k.id, k.price_value, k.currency_code, dense_rank() OVER (ORDER BY k.is_over, k.currency_code IS DISTINCT FROM ${home},
      k.currency_code = 'ZERO', -k.many, k.currency_code) AS choice
    FROM (
      SELECT k.id, k.price_value, k.currency_code, coalesce(k.sale_end <= now(), false) AS is_over,
        count(*) OVER (PARTITION BY coalesce(k.sale_end <= now(), false), k.currency_code) AS many
      FROM ${tables.tickets} k WHERE ${condition} AND k.deleted_at IS NULL) k) k
  WHERE k.choice = 1)`;

export const racePriceRange = (race: string, tables = OWN): string =>
  priceRange(
    `k.organization_id = ${race}.organization_id AND k.race_id = ${race}.id`,
    `(SELECT ${homeCurrency('home')} FROM ${tables.occurrences} home
      WHERE home.organization_id = ${race}.organization_id AND home.id = ${race}.event_occurrence_id)`,
    tables,
  );

export const occurrencePriceRange = (occurrence: string, tables = OWN): string =>
  priceRange(
    `k.organization_id = ${occurrence}.organization_id AND k.event_occurrence_id = ${occurrence}.id`,
    homeCurrency(occurrence),
    tables,
  );

/** The select list of a RaceSummary. */
export const raceSummary = (race: string, tables = OWN): string => `
    ${race}.id AS "id",
    ${race}.title AS "title",
    ${titleByLocale(race)} AS "titleByLocale",
    ${race}.discipline AS "discipline",
    ${distance(race)} AS "distance",
    ${race}.start_date AS "startDate",
    to_char(${race}.start_time, 'HH24:MI:SS') AS "startTime",
    ${racePriceRange(race, tables)} AS "priceRange"`;

/** The occurrence's RaceSummaries, in catalogue order. */
export const raceSummaries = (occurrence: string, tables = OWN): string => `(
  SELECT coalesce(json_agg(json_strip_nulls(row_to_json(summary)) ORDER BY r.position, r.id), '[]')
  FROM ${tables.races} r CROSS JOIN LATERAL (SELECT ${raceSummary('r', tables)}) summary
  WHERE r.organization_id = ${occurrence}.organization_id AND r.event_occurrence_id = ${occurrence}.id)`;

/** Places that are taken by approved entries that are not cancelled. Reserved places may not count. */
export const ticketPlaces = (ticket: string): string =>
  `tally(${ticket}.organization_id, 'ticketPlaces', ${ticket}.id)`;

export const racePlaces = (race: string): string =>
  `tally(${race}.organization_id, 'racePlaces', ${race}.id)`;

/** Whether all places are taken. Does not count if there is no limit. */
const full = (row: string, places: string): string =>
  `CASE WHEN ${row}.max_capacity IS NOT NULL THEN ${places} >= ${row}.max_capacity ELSE false END`;

/**
 * AVAILABLE, SOLD_OUT, CLOSED or NOT_YET_ON_SALE, at the time of the statement. The sale of a deleted ticket is closed, and that of
 * an occurrence that is postponed or cancelled.
 */
export const availability = (ticket: string): string => `CASE
    WHEN ${ticket}.deleted_at IS NOT NULL OR ${ticket}.sale_end <= now() THEN 'CLOSED'
    WHEN EXISTS (
      SELECT FROM event_occurrences stopped
      WHERE stopped.organization_id = ${ticket}.organization_id AND stopped.id = ${ticket}.event_occurrence_id
        AND stopped.called_off IS NOT NULL
    ) THEN 'CLOSED'
    WHEN ${ticket}.sale_start > now() THEN 'NOT_YET_ON_SALE'
    WHEN ${full(ticket, ticketPlaces(ticket))} THEN 'SOLD_OUT'
    WHEN EXISTS (
      SELECT FROM races full_race
      WHERE full_race.organization_id = ${ticket}.organization_id AND full_race.id = ${ticket}.race_id
        AND ${full('full_race', racePlaces('full_race'))}
    ) THEN 'SOLD_OUT'
    ELSE 'AVAILABLE'
  END`;

/** The select list of an occurrence's summary, without organizer, races and link. */
export const occurrenceSummary = (occurrence: string, tables = OWN): string => `
    ${occurrence}.id AS "id",
    ${occurrence}.title AS "title",
    ${titleByLocale(occurrence)} AS "titleByLocale",
    ${occurrence}.tags AS "tags",
    jsonb_strip_nulls(${occurrence}.content) AS "content",
    ${occurrence}.start_date AS "startDate",
    ${location(occurrence)} AS "location",
    ${images(occurrence)} AS "images",
    ${occurrencePriceRange(occurrence, tables)} AS "priceRange"`;
