import { escapeLiteral, type PoolClient, Query, type QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';

/** The setting that row-level security reads. It lasts for a transaction, so that no connection keeps it. */
export const ORGANIZATION = 'startline.organization';

const SCOPE = { name: 'startline_scope', text: `SELECT set_config('${ORGANIZATION}', $1, true)` };

interface QueryConfig {
  name?: string;
  text: string;
  values?: unknown[];
  rowMode?: 'array';
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
 * A statement with its organization set, in one round trip: PostgreSQL takes all that is sent before one Sync for one
 * transaction. `SCOPE` must have been prepared on the connection.
 */
class ScopedQuery extends PgQuery {
  private isScoped = false;

  constructor(
    config: QueryConfig,
    private readonly organizationId: string,
  ) {
    super({ ...config, queryMode: 'extended' });
  }

  override prepare(wire: Wire): void {
    const values = [this.organizationId];
    wire.bind({ portal: '', statement: SCOPE.name, values, valueMapper: (value) => value });
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

const prepared = new WeakSet<PoolClient>();

/** Runs a statement that sees the rows of one organization only. */
export async function queryInScope<Row>(
  client: PoolClient,
  organizationId: string,
  config: QueryConfig & { query_timeout?: number },
): Promise<QueryResult<Row & object>> {
  if (!prepared.has(client)) {
    // pg takes the answer to a Parse for that of the query under way, so this one is prepared by itself.
    await client.query({ ...SCOPE, values: [''] });
    prepared.add(client);
  }
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(config, organizationId);
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
