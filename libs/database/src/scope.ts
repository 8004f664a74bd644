import { escapeLiteral, type PoolClient, type QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';
import { execute, type QueryConfig } from './prepared-query';

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

/**
 * Runs a statement that only sees rows in its scope. Sets the scope in the same round trip: PostgreSQL treats everything
 * before a Sync as one transaction.
 */
export async function queryInScope<Row>(
  client: PoolClient,
  scope: Scope,
  config: QueryConfig,
): Promise<QueryResult<Row & object>> {
  const { name, text, on } = statementOf(scope);
  const values = [scope.organizationId];
  if (!on.has(client)) {
    // pg would treat the response to a Parse as that of the current query, so this one is prepared separately.
    await execute(client, { name, text, values });
    on.add(client);
  }
  return execute(client, config, { name, values });
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
