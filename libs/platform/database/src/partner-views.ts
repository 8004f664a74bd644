import { ORGANIZATION } from './scope';
import { statement } from './statement';

/** The partner whose rows a transaction sees; empty: all rows of the organization. `enter_partner()` sets it, and what the partner sees. */
const PARTNER = 'startline.partner';

/** In a subquery, PostgreSQL reads a setting once for a statement. */
const partner = `(SELECT nullif(current_setting('${PARTNER}', true), '')::uuid)`;
const seen = (what: string): string =>
  `ANY ((SELECT nullif(current_setting('startline.${what}', true), '')::uuid[])::uuid[])`;

const THROUGH = `(via_top_partner_id = ${partner} OR via_partner_id = ${partner})`;
const OF_JOB = `EXISTS (SELECT FROM {schema}.import_jobs j WHERE j.organization_id = t.organization_id AND j.id = t.job_id)`;

/**
 * The rows that a partner sees, of every table of which it sees some. A statement of a partner reads these views in place of the
 * tables, because their schema precedes in the search path. All other rows are closed to it by `NO_PARTNER`. In the order in which they refer to each other.
 */
export const PARTNER_VIEWS: Record<string, string> = {
  organizations: 'true',
  partners: `(id = ${partner} OR parent_partner_id = ${partner})`,
  partner_external_ids: `partner_id = ${seen('partners')}`,
  events: `id = ${seen('partner_events')}`,
  event_occurrences: `id = ${seen('partner_occurrences')}`,
  races: `id = ${seen('partner_races')}`,
  waves: `race_id = ${seen('partner_races')}`,
  tickets: `id = ${seen('partner_tickets')}`,
  ticket_booking_forms: `ticket_id = ${seen('partner_tickets')}`,
  booking_forms: `id = ${seen('partner_forms')}`,
  booking_form_entries: `booking_form_id = ${seen('partner_forms')}`,
  booking_form_fields: `id = ${seen('partner_fields')}`,
  reserved_entry_groups: `partner_id = ${seen('partners')}`,
  reserved_entry_group_tickets: `reserved_entry_group_id = ${seen('partner_groups')}`,
  // Only entries name teams, and no operation lists them.
  teams: `event_occurrence_id = ${seen('partner_occurrences')}`,
  bookings: THROUGH,
  start_list_entries: THROUGH,
  own_start_list_entries: THROUGH,
  // For a partner's count of uses. A code that was given to somebody else does not show in entries either.
  discount_codes: `partner_id = ${seen('partners')}`,
  // For the count of referrals that a partner's runners made. Who was referred is mostly not the partner's, but whether they were cancelled counts.
  referrer_owner_bookings: `EXISTS (SELECT FROM {schema}.bookings b
    WHERE b.organization_id = t.organization_id AND b.id = t.booking_id)`,
  referrals: `EXISTS (SELECT FROM {schema}.referrer_owner_bookings o
    WHERE o.organization_id = t.organization_id AND o.referrer_id = t.referrer_id)
    AND NOT EXISTS (SELECT FROM {tables}.start_list_entries e
      WHERE e.organization_id = t.organization_id AND e.id = t.start_list_entry_id
        AND (e.cancelled_at IS NOT NULL OR e.approval_status IN ('REJECTED', 'WITHDRAWN')))`,
  import_jobs: `partner_id = ${partner}`,
  import_rows: OF_JOB,
  import_attempts: OF_JOB,
  dry_run_takings: OF_JOB,
  tallies: `(kind IN ('partnerApplications', 'partnerParticipants') AND subject_id = ${partner}
    OR kind = 'ticketPlaces' AND subject_id = ${seen('partner_tickets')}
    OR kind = 'racePlaces' AND subject_id = ${seen('partner_races')})`,
};

/** Whether the transaction is not a partner's. Names no column, so that it changes no plan. */
export const NO_PARTNER = `(SELECT coalesce(current_setting('${PARTNER}', true), '') = ''
    OR starts_with(current_setting('search_path'), 'pg_catalog, '))`;

/** The schema of the views of the tables in `schema`. */
export const partnerSchemaOf = (schema: string): string => `${schema}_partner`;

/** @param key the column of the organization */
export const partnerViewOf = (table: string, key: string): string =>
  `WHERE t.${key} = nullif(current_setting('${ORGANIZATION}', true), '')::uuid AND ${PARTNER_VIEWS[table]}`;

/**
 * The statements that make the views, or change those that differ from their tables. A view says in its comment from what it was made. The
 * views have the rights of the owner: the policy closes the tables to a partner.
 *
 * @param $1 the tables, in order
 * @param $2 the conditions
 * @param $3 the schema of the views
 */
export const MISSING_PARTNER_VIEWS = statement({
  parameters: ['text[]', 'text[]', 'text'],
  columns: { statement: 'text' },
  sql: `
    SELECT statement FROM (
    SELECT format('CREATE SCHEMA IF NOT EXISTS %I', $3::text) AS statement, 0 AS place
    WHERE to_regnamespace(quote_ident($3::text)) IS NULL
    UNION ALL
    SELECT format('CREATE OR REPLACE VIEW %1$I.%2$I AS SELECT t.* FROM %3$s t %4$s; COMMENT ON VIEW %1$I.%2$I IS %5$L',
      $3::text, wanted.name, c.oid::regclass, replace(replace(wanted.condition, '{schema}', quote_ident($3::text)), '{tables}', quote_ident(current_schema())), made.made_from), wanted.place
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY wanted (name, condition, place)
    JOIN pg_class c ON c.relnamespace = current_schema()::regnamespace AND c.relname = regexp_replace(wanted.name, '^own_', '')
    CROSS JOIN LATERAL (
      SELECT md5(wanted.condition || string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)) AS made_from
      FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
    ) made
    WHERE obj_description(to_regclass(format('%I.%I', $3::text, wanted.name)), 'pg_class') IS DISTINCT FROM made.made_from
    ) missing ORDER BY place
  `,
});
