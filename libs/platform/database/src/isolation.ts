import type { Client } from 'pg';
import { isDistributed } from './distributed/requirements';
import {
  MISSING_PARTNER_VIEWS,
  NO_PARTNER,
  PARTNER_VIEWS,
  partnerSchemaOf,
  partnerViewOf,
} from './partner-views';
import { ONE_ORGANIZATION, ORGANIZATION } from './scope';
import { statement } from './statement';

/** Tables whose rows belong to no organization, with the reason. Every other table has the policy. */
export const SHARED_TABLES: Record<string, string> = {
  erasure_secrets: 'verifications of ERASURE_SECRET, which is the same for all organizations',
  rate_windows: 'counts by API key and operation, or by organization, which it names by id',
  schema_migrations: 'names of migrations',
  search_vocabulary: 'words of the marketplace, without where they are from',
  workers: 'worker processes, which work for all organizations',
};

const OWN_ORGANIZATION = `nullif(current_setting('${ORGANIZATION}', true), '')::uuid`;
/** In a subquery, PostgreSQL reads the setting once for a statement, and not again for each row that a join looks up. */
const POLICY = `(SELECT ${OWN_ORGANIZATION})`;

/**
 * Whether the single role of a database sees all rows: not on connections of API and worker, except in functions that
 * need it.
 */
const SEES_ALL = `current_setting('${ONE_ORGANIZATION}', true) IS DISTINCT FROM 'on'
    OR starts_with(current_setting('search_path'), 'pg_catalog, ')`;

/** The owner sees all rows through the views, as in the tables: the command line sets no organization. */
const ownRowsOf = (table: string) => `SELECT * FROM ${table} WHERE (organization_id = ${OWN_ORGANIZATION}
  OR (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = '${table}'::regclass)) AND ${NO_PARTNER}`;

const IS_SANDBOX = `coalesce((SELECT sandbox FROM organizations WHERE id = ${OWN_ORGANIZATION}), false)`;
/** A sandbox sees its own occurrences only, and nobody else sees them. */
const SHOWN = `organization_id <> ALL (ARRAY(SELECT id FROM organizations WHERE sandbox AND id IS DISTINCT FROM ${OWN_ORGANIZATION}))
    AND (organization_id = ${OWN_ORGANIZATION} OR NOT (SELECT ${IS_SANDBOX}))`;

/**
 * Views that run with the owner's rights, so that a condition that is not leakproof can still use an index. Each has
 * its own condition in place of the policy: the rows of one organization, or what the marketplace shows.
 */
export const VIEWS: Record<string, string> = {
  own_bib_claims: ownRowsOf('bib_claims'),
  own_discount_codes: ownRowsOf('discount_codes'),
  own_import_jobs: ownRowsOf('import_jobs'),
  own_race_day_log: ownRowsOf('race_day_log'),
  own_referrers: ownRowsOf('referrers'),
  own_start_list_entries: ownRowsOf('start_list_entries'),
  own_teams: ownRowsOf('teams'),
  marketplace_organizations:
    'SELECT id, slug, name, website, logo_url FROM organizations WHERE deleted_at IS NULL',
  marketplace_occurrences: `SELECT * FROM event_occurrences WHERE published AND discoverable AND called_off IS NULL
    AND organization_id <> ALL (ARRAY(SELECT id FROM organizations WHERE deleted_at IS NOT NULL)) AND ${SHOWN}`,
  marketplace_removed: `SELECT organization_id, id, updated_at, coalesce(removed_start_date, start_date) AS start_date FROM event_occurrences
    WHERE ${SHOWN} AND (removed_start_date IS NOT NULL OR (published AND discoverable AND called_off IS NULL AND start_date IS NOT NULL
      AND organization_id = ANY (ARRAY(SELECT id FROM organizations WHERE deleted_at IS NOT NULL))))`,
  marketplace_races: `SELECT r.* FROM races r WHERE EXISTS (SELECT FROM marketplace_occurrences o
    WHERE o.organization_id = r.organization_id AND o.id = r.event_occurrence_id)`,
  marketplace_tickets: `SELECT t.* FROM tickets t WHERE EXISTS (SELECT FROM marketplace_occurrences o
    WHERE o.organization_id = t.organization_id AND o.id = t.event_occurrence_id)`,
};

/**
 * The missing statements. One statement adds the policy of a table and enables its row-level security, so that rows
 * are never hidden from roles with access. If one role does everything, it is the owner: row-level security is forced
 * on it, but only on connections that ask for it, as those of API and worker do. `one_partner` closes the tables to a partner, who
 * reads views; with one role, these have its rights, so that it closes only tables without a view.
 *
 * @param $1 whether there is only one role
 * @param $2 tables without a policy
 * @param $3 tables with a view for partners
 */
const MISSING_POLICIES = statement({
  parameters: ['boolean', 'name[]', 'name[]'],
  columns: { statement: 'text' },
  sql: `
    SELECT concat_ws('; ',
      CASE WHEN NOT p.scoped THEN format('CREATE POLICY one_organization ON %s USING (%I = ${POLICY.replaceAll("'", "''")})', t.id, t.key) END,
      CASE WHEN $1 AND NOT p.owned THEN
        format('CREATE POLICY owner ON %s USING (${SEES_ALL.replaceAll("'", "''")})', t.id) END,
      CASE WHEN NOT $1 AND p.owned THEN format('DROP POLICY owner ON %s', t.id) END,
      CASE WHEN t.closed AND NOT p.closed THEN
        format('CREATE POLICY one_partner ON %s AS RESTRICTIVE USING (${NO_PARTNER.replaceAll("'", "''")})', t.id) END,
      CASE WHEN NOT t.closed AND p.closed THEN format('DROP POLICY one_partner ON %s', t.id) END,
      CASE WHEN NOT t.enabled THEN format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.id) END,
      CASE WHEN t.forced <> $1 THEN format('ALTER TABLE %s %s ROW LEVEL SECURITY', t.id, CASE WHEN $1 THEN 'FORCE' ELSE 'NO FORCE' END) END
    ) AS statement
    FROM (
      SELECT c.oid::regclass AS id, c.oid, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
        CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END AS key,
        NOT $1 OR c.relname <> ALL ($3) AS closed
      FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($2)
    ) t CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE polname = 'one_organization') > 0 AS scoped,
        count(*) FILTER (WHERE polname = 'owner') > 0 AS owned,
        count(*) FILTER (WHERE polname = 'one_partner') > 0 AS closed
      FROM pg_policy WHERE polrelid = t.oid
    ) p
    WHERE NOT p.scoped OR p.owned <> $1 OR p.closed <> t.closed OR NOT t.enabled OR t.forced <> $1
  `,
});

/** Functions other than `horizon()` that run as the owner: their permitted callers are named. */
const OPEN_FUNCTIONS = statement({
  columns: { statement: 'text' },
  sql: `
    SELECT format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', p.oid::regprocedure) AS statement FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef AND p.proname <> 'horizon'
      AND (p.proacl IS NULL OR EXISTS (SELECT FROM aclexplode(p.proacl) WHERE grantee = 0))
  `,
});

/** The views that do not exist, or were made from another text or other columns. */
const MISSING_VIEWS = statement({
  parameters: ['text[]', 'text[]'],
  columns: { statement: 'text' },
  sql: `
    SELECT format('CREATE OR REPLACE VIEW %1$I AS %2$s; COMMENT ON VIEW %1$I IS %3$L', wanted.name, wanted.definition, made.made_from) AS statement
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY wanted (name, definition, place)
    CROSS JOIN LATERAL (
      SELECT md5(concat(wanted.definition, string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum))) AS made_from
      FROM pg_attribute WHERE attrelid = to_regclass(regexp_replace(wanted.name, '^own_', '')) AND wanted.name LIKE 'own_%'
        AND attnum > 0 AND NOT attisdropped
    ) made
    WHERE to_regclass(wanted.name) IS NULL
      OR wanted.name LIKE 'own_%' AND obj_description(to_regclass(wanted.name), 'pg_class') IS DISTINCT FROM made.made_from
    ORDER BY wanted.place
  `,
});

const SCHEMA = statement({ columns: { schema: 'text' }, sql: 'SELECT current_schema()::text AS schema' });

const IS_FORCED = statement({
  columns: { single: 'boolean' },
  sql: `
    SELECT relforcerowsecurity OR NOT relrowsecurity AS single FROM pg_class WHERE oid = 'organizations'::regclass
  `,
});

/**
 * Creates missing policies and views, so it can run after every migration.
 *
 * @param isSingleRole whether the owner is also the role of API and worker; undefined: unchanged, and at first true
 */
export async function isolate(owner: Client, isSingleRole: boolean | undefined): Promise<void> {
  const make = async (statements: { statement: string }[]) => {
    for (const { statement } of statements) await owner.query(statement);
  };
  await make(await MISSING_VIEWS.rows(owner, [Object.keys(VIEWS), Object.values(VIEWS)]));
  // The views of the nodes replace policies there.
  if (!(await isDistributed(owner))) {
    const single = isSingleRole ?? (await wasSingleRole(owner));
    const names = Object.keys(PARTNER_VIEWS);
    const conditions = names.map((name) =>
      partnerViewOf(name, name === 'organizations' ? 'id' : 'organization_id'),
    );
    const { schema } = await SCHEMA.one(owner);
    await make(await MISSING_PARTNER_VIEWS.rows(owner, [names, conditions, partnerSchemaOf(schema)]));
    await make(await MISSING_POLICIES.rows(owner, [single, Object.keys(SHARED_TABLES), names]));
  }
  await make(await OPEN_FUNCTIONS.rows(owner));
}

async function wasSingleRole(owner: Client): Promise<boolean> {
  return (await IS_FORCED.one(owner)).single;
}
