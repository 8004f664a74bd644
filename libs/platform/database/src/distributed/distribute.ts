import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { urlOfNode } from '../hosts';
import { SHARED_TABLES } from '../isolation';
import { functionStatements } from './functions';
import { createLocalTables } from './local-tables';
import { ANCHOR, NODE_FUNCTIONS, NODE_SCHEMA } from './node-functions';
import { missingRequirements } from './requirements';

/** On every node, because its slugs are unique among all organizations. */
const REFERENCE = 'organizations';

/** Less than PostgreSQL's deadlock_timeout of a second, as for migrations. */
const LOCK_TIMEOUT_MS = 500;

/** The requirements of the cluster that are not met. */
export class ClusterNotReady extends Error {
  constructor(readonly missing: string[]) {
    super(missing.join('\n'));
  }
}

/** A step that is still to do. */
export interface Step {
  /** For people. */
  what: string;
  statements: string[];
}

/** A distributed database has it; its tables that are not distributed yet are those of later migrations. */
const TABLES = `
  SELECT c.relname AS name, c.relname = '${REFERENCE}' AS reference
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> ALL ($1) AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
    AND NOT EXISTS (SELECT FROM pg_dist_shard s WHERE c.relname = s.logicalrelid::text || '_' || s.shardid)
  ORDER BY c.relname <> '${REFERENCE}', c.relname <> '${ANCHOR}', c.relname`;

const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
    AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
  ORDER BY 1, 2`;

const TRIGGERS = `
  SELECT tgrelid::regclass::text AS table, tgname AS name, pg_get_triggerdef(oid) AS definition
  FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = ANY ($1::regclass[]) ORDER BY 1, 2`;

const POLICIES = `
  SELECT polrelid::regclass::text AS table, polname AS name FROM pg_policy WHERE polrelid = ANY ($1::regclass[]) ORDER BY 1, 2`;

/**
 * What would make the database a distributed one; empty if it is. A key or trigger of a table that is not distributed is
 * removed, and added again when all tables are: in the order of their keys, tables that refer to each other can't be
 * distributed, and triggers must not run for rows that are copied.
 */
export async function distributionPlan(owner: Client): Promise<Step[]> {
  const ask = async <Row extends object>(text: string, values: unknown[]) =>
    (await owner.query<Row>(text, values)).rows;
  const tables = await ask<{ name: string; reference: boolean }>(TABLES, [Object.keys(SHARED_TABLES)]);
  const names = tables.map(({ name }) => name);
  const keys = await ask<{ table: string; name: string; definition: string }>(FOREIGN_KEYS, [names]);
  const triggers = await ask<{ table: string; name: string; definition: string }>(TRIGGERS, [names]);
  const policies = await ask<{ table: string; name: string }>(POLICIES, [names]);
  const steps: Step[] = [
    {
      what: `remove ${keys.length} foreign keys`,
      statements: keys.map(
        ({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${escapeIdentifier(name)}`,
      ),
    },
    {
      what: `remove ${triggers.length} triggers`,
      statements: triggers.map(({ table, name }) => `DROP TRIGGER ${escapeIdentifier(name)} ON ${table}`),
    },
    {
      what: `replace ${policies.length} policies by the views of the nodes`,
      statements: [
        ...policies.map(({ table, name }) => `DROP POLICY ${escapeIdentifier(name)} ON ${table}`),
        // Without a policy, only the owner sees rows, and with it the views.
        ...names.flatMap((name) => [
          `ALTER TABLE ${escapeIdentifier(name)} ENABLE ROW LEVEL SECURITY`,
          `ALTER TABLE ${escapeIdentifier(name)} NO FORCE ROW LEVEL SECURITY`,
        ]),
      ],
    },
    ...tables.map(({ name, reference }) => ({
      what: reference ? `copy ${name} to every node` : `distribute ${name} by organization`,
      statements: [
        reference
          ? `SELECT create_reference_table(${escapeLiteral(name)})`
          : `SELECT create_distributed_table(${escapeLiteral(name)}, 'organization_id'${
              name === ANCHOR ? '' : `, colocate_with => ${escapeLiteral(ANCHOR)}`
            })`,
        `SELECT truncate_local_data_after_distributing_table(${escapeLiteral(name)}::regclass)`,
      ],
    })),
    {
      what: `add ${keys.length} foreign keys`,
      statements: keys.map(
        ({ table, name, definition }) =>
          `ALTER TABLE ${table} ADD CONSTRAINT ${escapeIdentifier(name)} ${definition}`,
      ),
    },
    { what: `add ${triggers.length} triggers`, statements: triggers.map(({ definition }) => definition) },
  ];
  return steps.filter(({ statements }) => statements.length > 0);
}

/**
 * Distributes what is not distributed yet, in one transaction: a process that is killed has done nothing. It can run
 * again at any time, for the tables and functions of later migrations and for new nodes. Call it under the lock of
 * `migrate`.
 *
 * @param log receives progress messages
 * @param lockTimeoutMs how long a statement may wait for a lock on any server; 0 is without limit
 */
export async function distribute(
  owner: Client,
  { log = () => {}, lockTimeoutMs = 0 }: { log?: (line: string) => void; lockTimeoutMs?: number } = {},
): Promise<void> {
  await owner.query('BEGIN');
  try {
    // Copying tables that refer to a reference table, Citus requires one connection for each node.
    await owner.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL statement_timeout = 0;
      SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL check_function_bodies = off; SET LOCAL client_min_messages = error`);
    await owner.query(NODE_FUNCTIONS);
    const steps = await distributionPlan(owner);
    for (const { what, statements } of steps) {
      log(what);
      for (const statement of statements) await owner.query(statement);
    }
    for (const statement of await functionStatements(owner)) await owner.query(statement);
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

const NODES = `
  SELECT nodename AS host, nodeport AS port FROM pg_dist_node
  WHERE isactive AND noderole = 'primary' AND shouldhaveshards ORDER BY groupid`;

/**
 * Shows the tables, columns and privileges of the schema on the shards of every node, one group at a time, because requests
 * wait for a view that is replaced.
 *
 * @param url the owner's, of the coordinator
 * @param patiently repeats work whose locks were not available
 */
export async function openShards(
  owner: Client,
  url: string,
  patiently: (work: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  await createLocalTables(owner);
  const { rows } = await owner.query<{ host: string; port: number }>(NODES);
  for (const { host, port } of rows) {
    const node = new Client({
      connectionString: urlOfNode(url, `${host}:${port}`),
      application_name: 'startline migrate',
      lock_timeout: LOCK_TIMEOUT_MS,
    });
    await node.connect();
    try {
      const held = await node.query<{ anchors: string[] | null }>(
        `SELECT ${NODE_SCHEMA}.shards()::text[] AS anchors`,
      );
      for (const anchor of held.rows[0]?.anchors ?? [])
        await patiently(() => node.query(`SELECT ${NODE_SCHEMA}.open_group($1)`, [anchor]));
    } finally {
      await node.end();
    }
  }
}

/** @throws ClusterNotReady with a sentence for each requirement that is not met */
export async function requireCluster(url: string): Promise<void> {
  const missing = await missingRequirements(url);
  if (missing.length > 0) throw new ClusterNotReady(missing);
}
