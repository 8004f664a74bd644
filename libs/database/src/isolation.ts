import type { Client } from 'pg';
import { isDistributed } from './distributed/requirements';
import { ONE_ORGANIZATION, ORGANIZATION } from './scope';
import { statement } from './statement';

/** Tables whose rows belong to no organization, with the reason. Every other table has the policy. */
export const SHARED_TABLES: Record<string, string> = {
  rate_windows: 'counts by API key and operation, which it names by id',
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
const ownRowsOf = (table: string) => `SELECT * FROM ${table} WHERE organization_id = ${OWN_ORGANIZATION}
  OR (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = '${table}'::regclass)`;

/**
 * Views that run with the owner's rights, so that a condition that is not leakproof can still use an index. Each has
 * its own condition in place of the policy: the rows of one organization, or what the marketplace shows.
 */
export const VIEWS: Record<string, string> = {
  own_bib_claims: ownRowsOf('bib_claims'),
  own_discount_codes: ownRowsOf('discount_codes'),
  own_race_day_log: ownRowsOf('race_day_log'),
  own_referrers: ownRowsOf('referrers'),
  own_start_list_entries: ownRowsOf('start_list_entries'),
  marketplace_organizations:
    'SELECT id, slug, name, website, logo_url FROM organizations WHERE deleted_at IS NULL',
  marketplace_occurrences: `SELECT * FROM event_occurrences WHERE published AND discoverable AND called_off IS NULL
    AND organization_id <> ALL (ARRAY(SELECT id FROM organizations WHERE deleted_at IS NOT NULL))`,
  marketplace_races: `SELECT r.* FROM races r WHERE EXISTS (SELECT FROM marketplace_occurrences o
    WHERE o.organization_id = r.organization_id AND o.id = r.event_occurrence_id)`,
  marketplace_tickets: `SELECT t.* FROM tickets t WHERE EXISTS (SELECT FROM marketplace_occurrences o
    WHERE o.organization_id = t.organization_id AND o.id = t.event_occurrence_id)`,
};

/**
 * The missing statements. One statement adds the policy of a table and enables its row-level security, so that rows
 * are never hidden from roles with access. If one role does everything, it is the owner: row-level security is forced
 * on it, but only on connections that ask for it, as those of API and worker do.
 *
 * @param $1 whether there is only one role
 * @param $2 tables without a policy
 */
const MISSING_POLICIES = statement({
  parameters: ['boolean', 'name[]'],
  columns: { statement: 'text' },
  sql: `
    SELECT concat_ws('; ',
      CASE WHEN NOT p.scoped THEN format('CREATE POLICY one_organization ON %s USING (%I = ${POLICY.replaceAll("'", "''")})', t.id, t.key) END,
      CASE WHEN p.former THEN format('ALTER POLICY one_organization ON %s USING (%I = ${POLICY.replaceAll("'", "''")})', t.id, t.key) END,
      CASE WHEN $1 AND NOT p.owned THEN
        format('CREATE POLICY owner ON %s USING (${SEES_ALL.replaceAll("'", "''")})', t.id) END,
      CASE WHEN NOT $1 AND p.owned THEN format('DROP POLICY owner ON %s', t.id) END,
      CASE WHEN NOT t.enabled THEN format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.id) END,
      CASE WHEN t.forced <> $1 THEN format('ALTER TABLE %s %s ROW LEVEL SECURITY', t.id, CASE WHEN $1 THEN 'FORCE' ELSE 'NO FORCE' END) END
    ) AS statement
    FROM (
      SELECT c.oid::regclass AS id, c.oid, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
        CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END AS key
      FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($2)
    ) t CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE polname = 'one_organization') > 0 AS scoped,
        count(*) FILTER (WHERE polname = 'one_organization' AND pg_get_expr(polqual, polrelid) NOT LIKE '%SELECT%') > 0 AS former,
        count(*) FILTER (WHERE polname = 'owner') > 0 AS owned
      FROM pg_policy WHERE polrelid = t.oid
    ) p
    WHERE NOT p.scoped OR p.former OR p.owned <> $1 OR NOT t.enabled OR t.forced <> $1
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

const HAS_TABLE = statement({
  parameters: ['text'],
  columns: { found: 'boolean' },
  sql: 'SELECT to_regclass($1) IS NOT NULL AS found',
});

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
  for (const [name, text] of Object.entries(VIEWS)) {
    if (!(await HAS_TABLE.one(owner, [name])).found) await owner.query(`CREATE VIEW ${name} AS ${text}`);
  }
  // The views of the nodes replace policies there.
  const distributed = await isDistributed(owner);
  const values = [isSingleRole ?? (await wasSingleRole(owner)), Object.keys(SHARED_TABLES)] as const;
  const policies = distributed ? [] : await MISSING_POLICIES.rows(owner, values);
  const missing = [...policies, ...(await OPEN_FUNCTIONS.rows(owner))];
  for (const { statement } of missing) await owner.query(statement);
}

async function wasSingleRole(owner: Client): Promise<boolean> {
  return (await IS_FORCED.one(owner)).single;
}
