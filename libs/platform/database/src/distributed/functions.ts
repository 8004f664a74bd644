import type { Client } from 'pg';
import { statement } from '../statement';
import { NODE_SCHEMA } from './node-functions';

/**
 * How the functions of the schema run on nodes: the same bodies, with the search path of a shard group. A trigger takes
 * the path of its shard; a function that is called with an organization takes that of the organization; and one that works
 * for all organizations runs once for each group of its node.
 */

const FUNCTIONS = statement({
  columns: {
    name: 'name',
    language: 'name',
    definition: 'text',
    source: 'text',
    definer: 'boolean',
    returns: 'text',
    set: 'boolean',
    arguments: 'text',
    names: 'text[]?',
    onReference: 'boolean',
  },
  sql: `
    SELECT p.proname AS name, l.lanname AS language, pg_get_functiondef(p.oid) AS definition, p.prosrc AS source,
      p.prosecdef AS definer, pg_get_function_result(p.oid) AS returns, p.proretset AS set,
      pg_get_function_arguments(p.oid) AS arguments,
      CASE WHEN p.pronargs > 0 THEN p.proargnames[1:p.pronargs] END AS names,
      EXISTS (SELECT FROM pg_trigger t WHERE t.tgfoid = p.oid AND t.tgrelid = 'organizations'::regclass) AS "onReference"
    FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    ORDER BY p.proname
  `,
});

type Known = Awaited<ReturnType<typeof FUNCTIONS.rows>>[number];

/** Only read organizations, which every node has: callers ask one node. */
const OF_EVERY_NODE = ['organization_of_slug', 'organizations_beyond'];

/** Asks for the state of its node. */
const OF_THE_SERVER = ['horizon'];

const USES_TABLES = /\b(FROM|JOIN|INTO|UPDATE)\s+\w/;
const HAS_PATH = new RegExp(`\\b${NODE_SCHEMA}\\.(path|enter)`);

/** The statements that give the functions their form; none for those that have it. */
export async function functionStatements(owner: Client): Promise<string[]> {
  const all = await FUNCTIONS.rows(owner);
  return all.flatMap((known) => formOf(known) ?? [known.definition]);
}

function formOf(known: Known): string[] | undefined {
  if (HAS_PATH.test(known.source) || OF_THE_SERVER.includes(known.name)) return undefined;
  if (known.returns === 'trigger') return triggerForm(known);
  if (!known.definer || known.language !== 'sql') return undefined;
  return OF_EVERY_NODE.includes(known.name) ? [inPlpgsql(known)] : definerForm(known);
}

/** A shard's name ends with its number. */
const TABLE_NAME = "regexp_replace(TG_TABLE_NAME, '_[0-9]+$', '')";

/**
 * Changes that come from the coordinator may be part of a transaction on several nodes, which must not notify; whoever
 * changes the access of an organization there announces it afterwards.
 */
const UNLESS_PREPARED = `IF starts_with(current_setting('application_name'), 'citus_internal') THEN RETURN NULL; END IF;`;

function triggerForm({ definition, source, onReference }: Known): string[] | undefined {
  if (!USES_TABLES.test(source)) {
    if (!source.includes('pg_notify') || source.includes('citus_internal')) return undefined;
    return [definition.replace(/\bBEGIN\b/, () => `BEGIN\n  ${UNLESS_PREPARED}`)];
  }
  const enter = onReference
    ? `IF ${NODE_SCHEMA}.path_if_here(NEW.id) IS NULL THEN RETURN NULL; END IF;
  PERFORM set_config('search_path', ${NODE_SCHEMA}.path_if_here(NEW.id), true);`
    : `PERFORM ${NODE_SCHEMA}.enter(TG_TABLE_NAME);`;
  return [
    (onReference
      ? definition.replace(/^AS \$/m, " SET search_path TO 'public', 'pg_temp'\nAS $")
      : definition
    )
      .replaceAll('TG_TABLE_NAME', () => TABLE_NAME)
      .replace(/\bBEGIN\b/, () => `BEGIN\n  ${enter}`),
  ];
}

const call = ({ name, names }: Known) => `${NODE_SCHEMA}.${name}(${(names ?? []).join(', ')})`;

const inPlpgsql = ({ name, arguments: given, returns, set, source }: Known) =>
  definer(
    name,
    given,
    returns,
    set ? `BEGIN\n  RETURN QUERY ${source};\nEND` : `BEGIN\n  RETURN (${source});\nEND`,
  );

const definer = (name: string, given: string, returns: string, body: string) => /* sql */ `
CREATE OR REPLACE FUNCTION public.${name}(${given}) RETURNS ${returns} LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $body$
#variable_conflict use_column
${body} $body$`;

function definerForm(known: Known): string[] {
  const { name, names, arguments: given, returns, set, source } = known;
  const inner = /* sql */ `
CREATE OR REPLACE FUNCTION ${NODE_SCHEMA}.${name}(${given}) RETURNS ${returns} LANGUAGE sql AS $body$${source}$body$`;
  const enter = (path: string) => `PERFORM set_config('search_path', ${path}, true);`;
  const step = set
    ? `RETURN QUERY SELECT * FROM ${call(known)};`
    : returns === 'void'
      ? `PERFORM ${call(known)};`
      : `done := done + coalesce(${call(known)}, 0);`;
  const body =
    names?.[0] === 'organization'
      ? `BEGIN\n  ${enter(`'pg_catalog, ' || ${NODE_SCHEMA}.path_of(organization)`)}\n  RETURN QUERY SELECT * FROM ${call(known)};\nEND`
      : name === 'record_requests'
        ? RECORD_REQUESTS
        : `DECLARE
  path text;
  done int := 0;
BEGIN
  FOR path IN SELECT ${NODE_SCHEMA}.paths() LOOP
    ${enter('path')}
    ${step}
  END LOOP;${set || returns === 'void' ? '' : '\n  RETURN done;'}
END`;
  return [inner, definer(name, given, returns, body)];
}

const RECORD_REQUESTS = `DECLARE
  of record;
BEGIN
  FOR of IN
    SELECT (entry->>'organization_id')::uuid AS organization, json_agg(entry) AS own
    FROM json_array_elements(entries) entry GROUP BY 1
  LOOP
    -- Callers send all entries to every node.
    CONTINUE WHEN ${NODE_SCHEMA}.path_if_here(of.organization) IS NULL;
    PERFORM set_config('search_path', 'pg_catalog, ' || ${NODE_SCHEMA}.path_of(of.organization), true);
    RETURN QUERY SELECT * FROM ${NODE_SCHEMA}.record_requests(of.own, most);
  END LOOP;
END`;
