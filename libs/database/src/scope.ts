import { type CustomTypesConfig, escapeLiteral, type PoolClient, Query, type QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';

/** The setting that row-level security reads. It lasts for a transaction, so that no connection keeps it. */
export const ORGANIZATION = 'startline.organization';

/**
 * Connections of api and worker set it to `on`: where one role does everything, that role then sees the rows of one
 * organization only. It has no meaning for a role that doesn't own the schema.
 */
export const ONE_ORGANIZATION = 'startline.one_organization';

/** Whose rows a statement sees. */
export interface Scope {
  organizationId: string;
  /** Beside the organization's rows, what the marketplace's views show of all. */
  withMarketplace?: boolean;
}

const SCOPE = { name: 'startline_scope', text: `SELECT set_config('${ORGANIZATION}', $1, true)` };
const WITH_MARKETPLACE = {
  name: 'startline_marketplace',
  text: `${SCOPE.text}, set_config('${ONE_ORGANIZATION}', 'off', true)`,
};
const statementOf = ({ withMarketplace }: Scope) => (withMarketplace ? WITH_MARKETPLACE : SCOPE);

interface QueryConfig {
  name?: string;
  text: string;
  values?: unknown[];
  rowMode?: 'array';
  types?: CustomTypesConfig;
}

/** The parts of pg's protocol connection and query that are used here. pg keeps them; its types don't name them. */
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
 * A statement with its scope set, in one round trip: PostgreSQL takes all that is sent before one Sync for one
 * transaction. The scope's statement must have been prepared on the connection.
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

const prepared = {
  [SCOPE.name]: new WeakSet<PoolClient>(),
  [WITH_MARKETPLACE.name]: new WeakSet<PoolClient>(),
};

/** Runs a statement that sees what is in scope only. */
export async function queryInScope<Row>(
  client: PoolClient,
  scope: Scope,
  config: QueryConfig & { query_timeout?: number },
): Promise<QueryResult<Row & object>> {
  const statement = statementOf(scope);
  if (!prepared[statement.name]?.has(client)) {
    // pg takes the answer to a Parse for that of the query under way, so this one is prepared by itself.
    await client.query({ ...statement, values: [''] });
    prepared[statement.name]?.add(client);
  }
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(config, scope);
    const send = client.query.bind(client) as (query: unknown, done: unknown) => void;
    send(query, (error: Error | null, result: QueryResult<Row & object>) =>
      error ? reject(error) : resolve(result),
    );
  });
}

/** Makes the transactions of a runner see the rows of one organization only, without a round trip more. */
export function scopeTransactions(runner: QueryRunner, organizationId: string): QueryRunner {
  const ask = runner.query.bind(runner) as (...asked: unknown[]) => Promise<unknown>;
  const scope = SCOPE.text.replace('$1', escapeLiteral(organizationId));
  runner.query = ((text: string, ...rest: unknown[]) =>
    ask(text === 'START TRANSACTION' ? `${text}; ${scope}` : text, ...rest)) as typeof runner.query;
  return runner;
}
