import { type CustomTypesConfig, escapeLiteral, type PoolClient, Query, type QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';

/** The setting that row-level security reads. It is local to a transaction, so that no connection keeps it. */
export const ORGANIZATION = 'startline.organization';

/**
 * Connections of API and worker set it to `on`: if one role does everything, that role then only sees the rows of one
 * organization. It has no effect for a role that does not own the schema.
 */
export const ONE_ORGANIZATION = 'startline.one_organization';

/** The rows that a statement can see. */
export interface Scope {
  organizationId: string;
  /** In addition to the organization's rows, those that the marketplace views show of all organizations. */
  withMarketplace?: boolean;
  /**
   * PostgreSQL plans the statement once for any values, because planning takes longer than reading a page. Otherwise it
   * decides by its estimates. Has no effect with the marketplace.
   */
  planOnce?: boolean;
  /** Whether the connection is to a node of a distributed database, and the statement runs on the organization's shards. */
  onNode?: boolean;
}

const SCOPE = `SELECT set_config('${ORGANIZATION}', $1, true)`;
/** On a node of a distributed database, also the shards of the organization. */
const ON_NODE = `, set_config('search_path', node.path_of($1::text::uuid), true)`;
/** What the marketplace shows of all organizations of the node. */
const MARKETPLACE_OF_NODE = `, set_config('search_path', node.marketplace_path(), true)`;
const WITH_MARKETPLACE = `, set_config('${ONE_ORGANIZATION}', 'off', true)`;
/**
 * How lists are planned: with rows in memory, where looking up the hundred rows that a page refers to is cheaper than
 * reading a table; and once for any values.
 */
export const PLANNING = { plan_cache_mode: 'force_generic_plan', random_page_cost: '1.1' } as const;
const PLANNED_ONCE = Object.entries(PLANNING)
  .map(([setting, value]) => `, set_config('${setting}', '${value}', true)`)
  .join('');

interface Prepared {
  name: string;
  text: string;
  /** The connections that have it. */
  on: WeakSet<PoolClient>;
}
const prepared = (name: string, added: string, onNode: boolean, path = ON_NODE): Prepared => ({
  name: `startline_${name}${onNode ? '_on_node' : ''}`,
  text: `${SCOPE}${added}${onNode ? path : ''}`,
  on: new WeakSet(),
});
const statementsFor = (onNode: boolean) => ({
  plain: prepared('scope', '', onNode),
  withMarketplace: prepared('marketplace', WITH_MARKETPLACE, onNode, MARKETPLACE_OF_NODE),
  plannedOnce: prepared('planned_once', PLANNED_ONCE, onNode),
});
const HERE = statementsFor(false);
const NODE = statementsFor(true);
const statementOf = ({ withMarketplace, planOnce, onNode }: Scope): Prepared => {
  const statements = onNode ? NODE : HERE;
  if (withMarketplace) return statements.withMarketplace;
  return planOnce ? statements.plannedOnce : statements.plain;
};

interface QueryConfig {
  name?: string;
  text: string;
  values?: unknown[];
  rowMode?: 'array';
  types?: CustomTypesConfig;
}

/** The parts of pg's connection and query that are used here. pg has them, but its types do not. */
interface Wire {
  bind(bound: {
    portal: string;
    statement: string;
    values: string[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  execute(executed: { portal: string; rows: number }): void;
}
interface Steps {
  prepare(wire: Wire): void;
  handleDataRow(row: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}
const PgQuery = Query as unknown as new (config: object) => Query & Steps;

/**
 * Sets the scope and runs a statement in one round trip: PostgreSQL treats everything before a Sync as one
 * transaction. The statement that sets the scope must be prepared on the connection.
 */
class ScopedQuery extends PgQuery {
  private isScoped = false;

  constructor(
    config: QueryConfig,
    private readonly scope: Scope,
  ) {
    super({ ...config, queryMode: 'extended' });
  }

  override prepare(wire: Wire): void {
    const values = [this.scope.organizationId];
    wire.bind({ portal: '', statement: statementOf(this.scope).name, values, valueMapper: (value) => value });
    wire.execute({ portal: '', rows: 0 });
    super.prepare(wire);
  }

  override handleDataRow(row: unknown): void {
    if (this.isScoped) super.handleDataRow(row);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.isScoped) super.handleCommandComplete(message, wire);
    this.isScoped = true;
  }
}

/** Runs a statement that only sees rows in its scope. */
export async function queryInScope<Row>(
  client: PoolClient,
  scope: Scope,
  config: QueryConfig & { query_timeout?: number },
): Promise<QueryResult<Row & object>> {
  const statement = statementOf(scope);
  if (!statement.on.has(client)) {
    // pg would treat the response to a Parse as that of the current query, so this one is prepared separately.
    await client.query({ name: statement.name, text: statement.text, values: [scope.organizationId] });
    statement.on.add(client);
  }
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(config, scope);
    const send = client.query.bind(client) as (query: unknown, done: unknown) => void;
    send(query, (error: Error | null, result: QueryResult<Row & object>) =>
      error ? reject(error) : resolve(result),
    );
  });
}

/** Restricts the transactions of a runner to the rows of one organization, without an additional round trip. */
export function scopeTransactions(runner: QueryRunner, { organizationId, onNode }: Scope): QueryRunner {
  const ask = runner.query.bind(runner) as (...asked: unknown[]) => Promise<unknown>;
  const scope = `${SCOPE}${onNode ? ON_NODE : ''}`.replaceAll('$1', escapeLiteral(organizationId));
  runner.query = ((text: string, ...rest: unknown[]) => {
    // TypeORM sets an isolation level after the start, which PostgreSQL refuses after a query.
    const given = text.replace(/^SET TRANSACTION ISOLATION/, 'ROLLBACK; START TRANSACTION ISOLATION');
    return ask(given.includes('START TRANSACTION') ? `${given}; ${scope}` : given, ...rest);
  }) as typeof runner.query;
  return runner;
}

/** Runs statements outside of transactions on the organization's shards too, until the runner is released. */
export async function onNode(runner: QueryRunner, organizationId: string): Promise<QueryRunner> {
  const release = runner.release.bind(runner);
  runner.release = async () => {
    // A connection that was lost resets itself.
    await runner.query('RESET search_path').catch(() => {});
    await release();
  };
  try {
    await runner.query("SELECT set_config('search_path', node.path_of($1::uuid), false)", [organizationId]);
  } catch (error) {
    await release();
    throw error;
  }
  return runner;
}
