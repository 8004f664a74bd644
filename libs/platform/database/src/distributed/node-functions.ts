/**
 * What every node has besides Citus. A *shard group* is the shards with the same range of organizations, one of each
 * distributed table; Citus keeps them on one node. `node.open_group()` makes a schema with a view of each of its shards,
 * named as the table. With that schema in the search path, every statement, trigger and function runs on the shards as
 * PostgreSQL runs it on tables, without a distributed plan.
 *
 * Writes of a shard group and its move to another node exclude each other by Citus's own lock of the shard's metadata.
 */

import { NO_PARTNER, PARTNER_VIEWS, partnerSchemaOf, partnerViewOf } from '../partner-views';

/** The table by whose shards groups are found. */
export const ANCHOR = 'organization_surfaces';

export const NODE_SCHEMA = 'node';

/** The error of `node.path_of()` on a node that does not hold the organization. */
export const NOT_HERE = 'SL001';

/** Citus tables' own shards of this node, with the group that they belong to. */
const GROUPS = /* sql */ `
  SELECT a.shardid AS anchor, a.shardminvalue FROM pg_dist_shard a
  JOIN pg_dist_placement p ON p.shardid = a.shardid
  WHERE a.logicalrelid = 'public.${ANCHOR}'::regclass
    AND p.groupid = (SELECT groupid FROM pg_dist_local_group)`;

const OF_PARTNERS = Object.keys(PARTNER_VIEWS).map((name) => ({
  name,
  condition: partnerViewOf(name, name === 'organizations' ? 'id' : 'organization_id'),
}));

export const NODE_FUNCTIONS = /* sql */ `
CREATE SCHEMA IF NOT EXISTS ${NODE_SCHEMA};
GRANT USAGE ON SCHEMA ${NODE_SCHEMA} TO PUBLIC;

-- A node's own copy of the organizations must not differ from those of the other nodes.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  RAISE EXCEPTION 'Organizations are changed through the coordinator';
END $body$;

-- Lets those read a view who can read the table. With access to a view of an organization's rows, a role would choose the organization.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.let_read(of oid, path text, view text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  reader name;
BEGIN
  EXECUTE format('REVOKE ALL ON %I.%I FROM PUBLIC', path, view);
  FOR reader IN
    SELECT pg_get_userbyid(a.grantee) FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
    WHERE c.oid = of AND a.grantee <> 0 AND a.grantee <> c.relowner AND a.privilege_type = 'SELECT'
  LOOP
    EXECUTE format('GRANT SELECT ON %I.%I TO %I', path, view, reader);
  END LOOP;
END $body$;
REVOKE ALL ON FUNCTION ${NODE_SCHEMA}.let_read FROM PUBLIC;

-- Makes the schema of a shard group, or changes what differs from the tables: columns, tables, privileges. A view shows the
-- rows of the organization of the transaction; the owner without an organization sees all. A view's comment says from what it
-- was made, so that those that are in use are not locked without a reason.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.open_group(anchor bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  path text := format('startline_%s', anchor);
  -- The same rows without the condition, for the marketplace; only the owner can use the schema.
  every text := format('startline_%s_all', anchor);
  -- What partners see, in place of the views of the group, which show them nothing.
  partners text := format('${partnerSchemaOf('startline_%s')}', anchor);
  own text := (SELECT md5(prosrc) FROM pg_proc WHERE oid = '${NODE_SCHEMA}.open_group(bigint)'::regprocedure);
  is_new boolean;
  shard record;
  identity record;
  given record;
  shown record;
BEGIN
  PERFORM pg_advisory_xact_lock(5717256, (anchor % 2147483647)::int);
  SET LOCAL citus.enable_ddl_propagation = off;
  SET LOCAL client_min_messages = warning;
  IF to_regnamespace(path) IS NULL THEN
    EXECUTE format('CREATE SCHEMA %I', path);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', path);
  END IF;
  IF to_regnamespace(every) IS NULL THEN EXECUTE format('CREATE SCHEMA %I', every); END IF;
  IF to_regnamespace(partners) IS NULL THEN
    EXECUTE format('CREATE SCHEMA %I', partners);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', partners);
  END IF;
  FOR shard IN
    SELECT c.relname AS name, c.oid AS id, format('public.%I', c.relname || '_' || s.shardid) AS source,
      CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END AS key,
      md5(concat(own, to_regclass('public.own_' || c.relname), c.relacl, (
        SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attidentity, pg_get_expr(adbin, adrelid)), ', '
          ORDER BY attnum)
        FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped))) AS made_from
    FROM pg_dist_shard s JOIN pg_class c ON c.oid = s.logicalrelid
    WHERE c.relnamespace = 'public'::regnamespace AND (s.shardminvalue IS NULL
      OR s.shardminvalue = (SELECT a.shardminvalue FROM pg_dist_shard a WHERE a.shardid = anchor))
  LOOP
    is_new := to_regclass(format('%I.%I', path, shard.name)) IS NULL;
    CONTINUE WHEN obj_description(to_regclass(format('%I.%I', path, shard.name)), 'pg_class') = shard.made_from;
    EXECUTE format($sql$
      CREATE OR REPLACE VIEW %I.%I AS SELECT %s * FROM %s
      WHERE (%I = nullif(current_setting('startline.organization', true), '')::uuid
        OR (SELECT pg_has_role(relowner, 'USAGE') AND (
            current_setting('startline.one_organization', true) IS DISTINCT FROM 'on'
            OR starts_with(current_setting('search_path'), 'pg_catalog, ')) FROM pg_class WHERE oid = %s))
        AND ${NO_PARTNER}
      WITH CHECK OPTION $sql$, path, shard.name,
      -- Its triggers find the events of the transaction by the row's system column.
      CASE shard.name WHEN 'change_events' THEN 'xmin,' END, shard.source, shard.key, shard.id);
    -- In an UPDATE, PostgreSQL would take a view's lack of a default as null.
    FOR given IN
      SELECT string_agg(format('ALTER COLUMN %I SET DEFAULT %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ') AS defaults
      FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = shard.id AND a.attgenerated = '' HAVING count(*) > 0
    LOOP
      EXECUTE format('ALTER VIEW %I.%I %s', path, shard.name, given.defaults);
    END LOOP;
    IF shard.name = 'organizations' THEN
      EXECUTE format('CREATE OR REPLACE TRIGGER refuse INSTEAD OF INSERT OR UPDATE OR DELETE ON %I.organizations
        FOR EACH ROW EXECUTE FUNCTION ${NODE_SCHEMA}.refuse()', path);
    END IF;
    IF shard.name IN ('organizations', 'event_occurrences', 'races', 'tickets') THEN
      EXECUTE format('CREATE OR REPLACE VIEW %I.%I AS SELECT * FROM %s', every, shard.name, shard.source);
    END IF;
    -- Shards have no sequences: a new view continues where the rows end, also after the group has come back from elsewhere.
    FOR identity IN SELECT attname AS name FROM pg_attribute WHERE attrelid = shard.id AND attidentity <> '' LOOP
      EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %1$I.%2$I; GRANT USAGE ON SEQUENCE %1$I.%2$I TO PUBLIC',
        path, shard.name || '_' || identity.name);
      IF is_new THEN
        EXECUTE format('SELECT setval(%L, greatest((SELECT max(%I) FROM %s), (SELECT last_value FROM %I.%I), 1))',
          format('%I.%I', path, shard.name || '_' || identity.name), identity.name, shard.source,
          path, shard.name || '_' || identity.name);
      END IF;
      EXECUTE format('ALTER VIEW %I.%I ALTER COLUMN %I SET DEFAULT nextval(%L)',
        path, shard.name, identity.name, format('%I.%I', path, shard.name || '_' || identity.name));
    END LOOP;
    IF to_regclass('public.own_' || shard.name) IS NOT NULL THEN
      EXECUTE format('CREATE OR REPLACE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I', path, 'own_' || shard.name, shard.name);
      PERFORM ${NODE_SCHEMA}.let_read(shard.id, path, 'own_' || shard.name);
    END IF;
    FOR given IN
      SELECT pg_get_userbyid(a.grantee) AS grantee, string_agg(a.privilege_type, ', ') AS privileges
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
      WHERE c.oid = shard.id AND a.grantee <> 0 AND a.grantee <> c.relowner
        AND a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
      GROUP BY 1
    LOOP
      EXECUTE format('GRANT %s ON %I.%I TO %I', given.privileges, path, shard.name, given.grantee);
    END LOOP;
    EXECUTE format('COMMENT ON VIEW %I.%I IS %L', path, shard.name, shard.made_from);
  END LOOP;
  FOR shown IN
    SELECT wanted ->> 'name' AS name, replace(replace(wanted ->> 'condition', '{schema}', quote_ident(partners)), '{tables}.start_list_entries',
        -- The group's view of it shows partners nothing.
        (SELECT format('public.%I', 'start_list_entries_' || e.shardid) FROM pg_dist_shard e
          WHERE e.logicalrelid = 'public.start_list_entries'::regclass
            AND e.shardminvalue = (SELECT a.shardminvalue FROM pg_dist_shard a WHERE a.shardid = anchor))) AS condition,
      format('public.%I', c.relname || '_' || s.shardid) AS source, c.oid AS id,
      md5(concat(own, wanted, c.relacl, (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped))) AS made_from
    FROM jsonb_array_elements('${JSON.stringify(OF_PARTNERS).replaceAll("'", "''")}'::jsonb) WITH ORDINALITY views (wanted, place)
    JOIN pg_class c ON c.oid = to_regclass('public.' || regexp_replace(wanted ->> 'name', '^own_', ''))
    JOIN pg_dist_shard s ON s.logicalrelid = c.oid AND (s.shardminvalue IS NULL
      OR s.shardminvalue = (SELECT a.shardminvalue FROM pg_dist_shard a WHERE a.shardid = anchor))
    ORDER BY place
  LOOP
    CONTINUE WHEN obj_description(to_regclass(format('%I.%I', partners, shown.name)), 'pg_class') = shown.made_from;
    EXECUTE format('CREATE OR REPLACE VIEW %I.%I AS SELECT t.* FROM %s t %s', partners, shown.name, shown.source, shown.condition);
    PERFORM ${NODE_SCHEMA}.let_read(shown.id, partners, shown.name);
    EXECUTE format('COMMENT ON VIEW %I.%I IS %L', partners, shown.name, shown.made_from);
  END LOOP;
  -- The definitions name tables without a schema, so that they show the group's.
  PERFORM set_config('search_path', 'public', true);
  FOR shown IN
    SELECT name, definition, md5(concat(own, definition)) AS made_from FROM (
      SELECT name, place, pg_get_viewdef(format('public.%I', name)::regclass) AS definition
      FROM unnest(ARRAY['marketplace_organizations', 'marketplace_occurrences', 'marketplace_removed', 'marketplace_races', 'marketplace_tickets'])
        WITH ORDINALITY names (name, place)) views ORDER BY place
  LOOP
    CONTINUE WHEN obj_description(to_regclass(format('%I.%I', every, shown.name)), 'pg_class') = shown.made_from;
    PERFORM set_config('search_path', every, true);
    EXECUTE format('CREATE OR REPLACE VIEW %I.%I AS %s', every, shown.name, shown.definition);
    EXECUTE format('COMMENT ON VIEW %I.%I IS %L', every, shown.name, shown.made_from);
    -- node.marketplace_path() makes them again.
    IF to_regclass('${NODE_SCHEMA}.marketplace_tickets') IS NOT NULL THEN
      COMMENT ON VIEW ${NODE_SCHEMA}.marketplace_tickets IS NULL;
    END IF;
  END LOOP;
END $body$;
REVOKE ALL ON FUNCTION ${NODE_SCHEMA}.open_group FROM PUBLIC;

-- The search path of what the marketplace shows of all organizations of this node. The views are made again when the
-- node holds other groups.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.marketplace_path() RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  held bigint[] := ${NODE_SCHEMA}.shards();
  shown text;
BEGIN
  IF obj_description(to_regclass('${NODE_SCHEMA}.marketplace_tickets'), 'pg_class') IS DISTINCT FROM held::text THEN
    PERFORM pg_advisory_xact_lock(5717256, 0), ${NODE_SCHEMA}.paths();
    SET LOCAL citus.enable_ddl_propagation = off;
    SET LOCAL client_min_messages = warning;
    FOREACH shown IN ARRAY ARRAY['marketplace_occurrences', 'marketplace_removed', 'marketplace_races', 'marketplace_tickets'] LOOP
      EXECUTE format('CREATE OR REPLACE VIEW ${NODE_SCHEMA}.%I AS %s', shown, (
        SELECT string_agg(format('SELECT * FROM startline_%s_all.%I', anchor, shown), ' UNION ALL ')
        FROM unnest(held) anchor));
      EXECUTE format('GRANT SELECT ON ${NODE_SCHEMA}.%I TO PUBLIC', shown);
    END LOOP;
    EXECUTE format('CREATE OR REPLACE VIEW ${NODE_SCHEMA}.marketplace_organizations AS
      SELECT * FROM startline_%s_all.marketplace_organizations', held[1]);
    GRANT SELECT ON ${NODE_SCHEMA}.marketplace_organizations TO PUBLIC;
    EXECUTE format('COMMENT ON VIEW ${NODE_SCHEMA}.marketplace_tickets IS %L', held::text);
  END IF;
  RETURN '${NODE_SCHEMA}, public';
END $body$;

-- Opens a group that has come to this node. Others wait, and find it open: replacing views that are in use would deadlock.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.ensure_group(anchor bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  first text := format('startline_%s.${ANCHOR}', anchor);
BEGIN
  IF to_regclass(first) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(5717256, (anchor % 2147483647)::int);
  IF to_regclass(first) IS NULL THEN PERFORM ${NODE_SCHEMA}.open_group(anchor); END IF;
END $body$;
REVOKE ALL ON FUNCTION ${NODE_SCHEMA}.ensure_group FROM PUBLIC;

-- The search path of an organization; null on a node that does not hold it. Held until the end of the transaction.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.path_if_here(organization uuid) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  anchor bigint := get_shard_id_for_distribution_column('public.${ANCHOR}', organization);
BEGIN
  -- 5: SHARE, which Citus's own writes take.
  PERFORM lock_shard_metadata(5, ARRAY[anchor]);
  IF NOT EXISTS (SELECT FROM pg_dist_placement WHERE shardid = anchor
      AND groupid = (SELECT groupid FROM pg_dist_local_group)) THEN
    RETURN NULL;
  END IF;
  PERFORM ${NODE_SCHEMA}.ensure_group(anchor);
  RETURN format('startline_%s, public', anchor);
END $body$;

CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.path_of(organization uuid) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
  path text := ${NODE_SCHEMA}.path_if_here(organization);
BEGIN
  IF path IS NULL THEN
    RAISE EXCEPTION 'This node does not hold the organization %', organization USING ERRCODE = '${NOT_HERE}';
  END IF;
  RETURN path;
END $body$;

-- Gives a trigger of a shard the search path of its group. A function that sees all organizations has it already, and its
-- triggers must see them too; the path of a statement from the coordinator stays until the end of its transaction.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.enter(name name) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  schema text := ${NODE_SCHEMA}.group_of_shard(name);
BEGIN
  IF position(schema || ',' IN current_setting('search_path')) = 0 THEN
    PERFORM set_config('search_path', schema || ', public', true);
  END IF;
END $body$;

CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.group_of_shard(name name) RETURNS text LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  anchor bigint;
BEGIN
  SELECT a.shardid INTO anchor FROM pg_dist_shard s
    JOIN pg_dist_shard a ON a.logicalrelid = 'public.${ANCHOR}'::regclass AND a.shardminvalue = s.shardminvalue
    WHERE s.shardid = substring(name FROM '_([0-9]+)$')::bigint;
  RETURN format('startline_%s', anchor);
END $body$;

-- The search paths of all groups that this node holds, for functions that see all organizations.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.paths() RETURNS SETOF text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  held record;
BEGIN
  FOR held IN ${GROUPS} ORDER BY a.shardminvalue::int LOOP
    PERFORM ${NODE_SCHEMA}.ensure_group(held.anchor);
    RETURN NEXT format('pg_catalog, startline_%s, public', held.anchor);
  END LOOP;
END $body$;

-- The groups that this node holds, by their anchors.
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.shards() RETURNS bigint[] LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $body$
  SELECT array_agg(anchor ORDER BY anchor) FROM (${GROUPS}) held
$body$;
`;
