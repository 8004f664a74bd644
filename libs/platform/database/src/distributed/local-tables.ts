import { type Client, escapeIdentifier, escapeLiteral } from 'pg';

/** Only the coordinator writes them: the nodes have its rows. */
const COPIED = ['schema_migrations', 'erasure_secrets'];

/**
 * Tables without organizations, of which every node has its own, so that nothing waits for the coordinator. `workers` says
 * which queues are processed, `rate_windows` counts requests of the node's organizations, the triggers of events write
 * `search_vocabulary`, and API and worker read in `schema_migrations` whether they fit the schema, and in `erasure_secrets` whether they
 * have the secret.
 */
const LOCAL_TABLES = ['workers', 'search_vocabulary', 'rate_windows', ...COPIED];

const DEFINITION = `
  SELECT
    ARRAY(SELECT format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attidentity <> '' THEN ' GENERATED ALWAYS AS IDENTITY'
          WHEN a.atthasdef AND pg_get_expr(d.adbin, d.adrelid) NOT LIKE 'nextval(%' THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END,
        CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
    c.relpersistence = 'u' AS unlogged,
    ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = c.oid) AS indexes,
    ARRAY(SELECT format('%s ON %I TO %I', a.privilege_type, c.relname, pg_get_userbyid(a.grantee))
      FROM aclexplode(c.relacl) a WHERE a.grantee NOT IN (0, c.relowner)
        AND a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')) AS grants
  FROM pg_class c WHERE c.oid = $1::regclass`;

interface Definition extends Record<'columns' | 'indexes' | 'grants', string[]> {
  unlogged: boolean;
}

async function copyOf(owner: Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ all: string }>(
    `SELECT coalesce(json_agg(m), '[]')::text AS all FROM ${table} m`,
  );
  const json = escapeLiteral(rows[0]?.all ?? '[]');
  return [
    `DELETE FROM ${table}`,
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, ${json})`,
  ];
}

/** Creates the tables on nodes that lack them, and columns of later migrations. */
export async function createLocalTables(owner: Client): Promise<void> {
  for (const table of LOCAL_TABLES) {
    const { rows } = await owner.query<Definition>(DEFINITION, [table]);
    const { columns, indexes, grants, unlogged } = rows[0] as Definition;
    const statements = [
      'SET citus.enable_ddl_propagation = off',
      'SET client_min_messages = error',
      `CREATE ${unlogged ? 'UNLOGGED ' : ''}TABLE IF NOT EXISTS ${escapeIdentifier(table)} ()`,
      ...columns.map((column) => `ALTER TABLE ${escapeIdentifier(table)} ADD COLUMN IF NOT EXISTS ${column}`),
      ...indexes.map((index) => index.replace(' INDEX ', ' INDEX IF NOT EXISTS ')),
      ...grants.map((grant) => `GRANT ${grant}`),
      ...(COPIED.includes(table) ? await copyOf(owner, table) : []),
    ];
    const block = `DO $do$ BEGIN ${statements.map((statement) => `${statement};`).join(' ')} END $do$`;
    const answer = await owner.query<{ success: boolean; result: string }>(
      `SELECT success, result FROM run_command_on_workers(${escapeLiteral(block)})`,
    );
    const failed = answer.rows.find(({ success }) => !success);
    if (failed) throw new Error(`A node could not create the table ${table}: ${failed.result}`);
  }
}
