import { Client } from 'pg';
import { clientTo } from '../hosts';
import { type RunsOn, statement } from '../statement';

const IS_DISTRIBUTED = statement({
  columns: { distributed: 'boolean' },
  sql: `SELECT to_regnamespace('node') IS NOT NULL AS distributed`,
});

/** Whether `distribute` has made this a distributed database. */
export const isDistributed = async (on: RunsOn): Promise<boolean> =>
  (await IS_DISTRIBUTED.one(on)).distributed;

const HAS_CITUS = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS installed`;

const NODES = `
  SELECT nodename || ':' || nodeport AS name, groupid AS group, shouldhaveshards AS "holdsShards",
    metadatasynced AS synced
  FROM pg_dist_node WHERE isactive AND noderole = 'primary' ORDER BY groupid, nodeid`;

/** Each node's own settings: a value that only the coordinator has is not enough. */
const SETTINGS_OF_NODES = `
  SELECT n.nodename || ':' || n.nodeport AS node, r.success AS ok, r.result
  FROM run_command_on_all_nodes(format(
    'SELECT json_object_agg(name, current_setting(name, true)) FROM unnest(%L::text[]) name', $1::text[])) r
  JOIN pg_dist_node n ON n.nodeid = r.nodeid ORDER BY n.groupid`;

interface Requirement {
  setting: string;
  ok(value: string): boolean;
  /** What to set, and why. */
  sentence: string;
}

export const REQUIREMENTS: readonly Requirement[] = [
  {
    setting: 'shared_preload_libraries',
    ok: (value) => value.split(/\s*,\s*/)[0] === 'citus',
    sentence:
      'Set shared_preload_libraries = citus, with citus first, because it plans and executes statements.',
  },
  {
    setting: 'wal_level',
    ok: (value) => value === 'logical',
    sentence:
      'Set wal_level = logical, so that an organization can move to another node while it is written to.',
  },
  {
    setting: 'output_plugin_libraries',
    // Minor releases before 15.20 do not have it.
    ok: (value) => value === '' || /\bcitus\b/.test(value),
    sentence:
      "Set output_plugin_libraries = 'pgoutput, citus', so that an organization can get shards of its own while it is written to.",
  },
  {
    setting: 'max_prepared_transactions',
    ok: (value) => Number(value) >= 100,
    sentence:
      'Set max_prepared_transactions = 100 or more, because transactions on several nodes are prepared before they commit.',
  },
  {
    setting: 'citus.enable_unsafe_triggers',
    ok: (value) => value === 'on',
    sentence: 'Set citus.enable_unsafe_triggers = on, because distributed tables keep their triggers.',
  },
  {
    setting: 'citus.enable_metadata_sync',
    ok: (value) => value === 'on',
    sentence:
      'Set citus.enable_metadata_sync = on, because every node must know which node holds an organization.',
  },
];

/** What keeps a database from being distributed, one sentence each. */
export async function missingRequirements(url: string): Promise<string[]> {
  const client = clientTo(url, { application_name: 'startline distribute' });
  await client.connect();
  try {
    return await missingOn(client);
  } finally {
    await client.end();
  }
}

async function missingOn(client: Client): Promise<string[]> {
  const ask = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  const [{ installed } = {}] = await ask<{ installed: boolean }>(HAS_CITUS);
  if (!installed)
    return ['The database has no extension citus. Run CREATE EXTENSION citus on every node, as a superuser.'];
  const nodes = await ask<{ name: string; group: number; holdsShards: boolean; synced: boolean }>(NODES);
  const missing: string[] = [];
  if (!nodes.some(({ group }) => group === 0))
    missing.push(
      "The coordinator does not know its own address. Run SELECT citus_set_coordinator_host('<host>', <port>).",
    );
  if (!nodes.some(({ holdsShards }) => holdsShards))
    missing.push("There is no node for data. Run SELECT citus_add_node('<host>', <port>) for each.");
  for (const { name, synced } of nodes.filter(({ group }) => group !== 0))
    if (!synced) missing.push(`${name} has no metadata. Run SELECT start_metadata_sync_to_node(…) for it.`);
  if (missing.length > 0) return missing;
  const names = REQUIREMENTS.map(({ setting }) => setting);
  const answers = await ask<{ node: string; ok: boolean; result: string | null }>(SETTINGS_OF_NODES, [names]);
  for (const { node, ok, result } of answers) {
    if (!ok) {
      missing.push(`The coordinator can't ask ${node}: ${result ?? 'no answer'}.`);
      continue;
    }
    const values = JSON.parse(result ?? '{}') as Record<string, string | null>;
    for (const { setting, ok: suffices, sentence } of REQUIREMENTS) {
      const value = values[setting] ?? '';
      if (!suffices(value)) missing.push(`${node} has ${setting} = ${value || "''"}. ${sentence}`);
    }
  }
  return missing;
}
