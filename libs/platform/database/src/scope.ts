import { escapeLiteral, type PoolClient, type QueryResult } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { execute, isPrepared, type QueryConfig } from './prepared-query';
import { type Executor, statement } from './statement';

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
  /** Only the rows that this partner sees. Not with the marketplace. */
  partnerId?: string;
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

/** @param isLocal until the end of the transaction, else of the session */
const settingOf = (organizationId: string, isLocal = true): string =>
  `SELECT set_config('${ORGANIZATION}', ${organizationId}, ${isLocal})`;
/** On a node of a distributed database, also the shards of the organization. */
const shardsOf = (organizationId: string, isLocal = true): string =>
  `, set_config('search_path', node.path_of(${organizationId}::text::uuid), ${isLocal})`;
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
}
const prepared = (
  name: string,
  added: string,
  onNode: boolean,
  { path = shardsOf('$1'), last = '' } = {},
): Prepared => ({
  name: `startline_${name}${onNode ? '_on_node' : ''}`,
  text: `${settingOf('$1')}${added}${onNode ? path : ''}${last}`,
});
/** After the organization, whose rows it reads. */
const partnerOf = (organizationId: string, partnerId: string): string =>
  `, enter_partner(${organizationId}::text::uuid, ${partnerId}::text::uuid)`;
const OF_PARTNER = { last: partnerOf('$1', '$2') };
const statementsFor = (onNode: boolean) => ({
  plain: prepared('scope', '', onNode),
  withMarketplace: prepared('marketplace', WITH_MARKETPLACE, onNode, { path: MARKETPLACE_OF_NODE }),
  plannedOnce: prepared('planned_once', PLANNED_ONCE, onNode),
  partner: prepared('partner', '', onNode, OF_PARTNER),
  partnerPlannedOnce: prepared('partner_planned_once', PLANNED_ONCE, onNode, OF_PARTNER),
});
const HERE = statementsFor(false);
const NODE = statementsFor(true);
const statementOf = ({ withMarketplace, partnerId, planOnce, onNode }: Scope): Prepared => {
  const statements = onNode ? NODE : HERE;
  if (partnerId) return planOnce ? statements.partnerPlannedOnce : statements.partner;
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
  const { name, text } = statementOf(scope);
  const { organizationId, partnerId } = scope;
  const values = partnerId ? [organizationId, partnerId] : [organizationId];
  // pg would treat the response to a Parse as that of the current query, so this one is prepared separately.
  if (!isPrepared(client, name)) await execute(client, { name, text, values });
  // Under another name, because PostgreSQL plans a statement again whenever its search path has changed.
  const own = partnerId && config.name ? { ...config, name: `partner_${config.name}` } : config;
  return execute(client, own, { name, values });
}

/**
 * Runs `work` in a transaction on the connection, which commits when `work` resolves and rolls back when it throws. Its
 * statements only see rows in the scope, which begins in the same round trip. Transactions do not nest.
 */
export async function inTransaction<T>(
  client: PoolClient,
  scope: Scope | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await client.query(scope ? `BEGIN; ${scopeOf(scope)}` : 'BEGIN');
    const done = await work();
    await client.query('COMMIT');
    return done;
  } catch (error) {
    // A connection that was lost rolls back by itself.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** A connection whose session sees the rows of a scope, for locks that outlast transactions. */
export class HeldConnection implements Executor {
  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
  ) {}

  /**
   * @param scope not a partner's, which a transaction begins and ends
   * @param idleMs after which the server closes the idle connection, so that a frozen process does not hold locks forever
   */
  static async of(
    dataSource: DataSource,
    scope: Scope & { partnerId?: never },
    idleMs: number,
  ): Promise<HeldConnection> {
    const runner = dataSource.createQueryRunner();
    const held = new HeldConnection(runner, await runner.connect());
    try {
      await held.client.query(`SET idle_session_timeout = ${idleMs}; ${scopeOf(scope, false)}`);
    } catch (error) {
      await held.release();
      throw error;
    }
    return held;
  }

  execute<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    return execute<Row>(this.client, query);
  }

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.client, undefined, () => work(this.runner.manager));
  }

  /** Returns the connection to the pool without locks and scope. */
  async release(): Promise<void> {
    try {
      await this.client.query(RELEASE);
    } catch {
      // Closes the connection, because the pool must not reuse it with its locks. A server that is away does not confirm it.
      void (this.client as unknown as { end(): Promise<void> }).end().catch(() => {});
    } finally {
      await this.runner.release();
    }
  }
}

const RELEASE = `SELECT pg_advisory_unlock_all(); RESET idle_session_timeout; RESET search_path; RESET ${ORGANIZATION}`;

function scopeOf({ organizationId, partnerId, onNode }: Scope, isLocal = true): string {
  const id = escapeLiteral(organizationId);
  const ofPartner = partnerId ? partnerOf(id, escapeLiteral(partnerId)) : '';
  return settingOf(id, isLocal) + (onNode ? shardsOf(id, isLocal) : '') + ofPartner;
}

const LEAVE_PARTNER = statement({
  sql: `
    SELECT set_config('startline.partner', '', true),
      set_config('search_path', regexp_replace(current_setting('search_path'), '^[^,]*_partner"?, ', ''), true)
  `,
});
const ENTER_PARTNER = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT enter_partner($1, $2)',
});

/** Whose rows a statement sees: all of the organization, or those of a partner. */
export type Owner = Pick<Scope, 'organizationId'> & { partner?: { id: string } | null };

/**
 * Runs work of a transaction in the scope of a partner so that it sees all rows of the organization: writes whose triggers
 * count and announce. What it writes must have been found by the partner before.
 */
export async function asOrganization<T>(
  manager: EntityManager,
  { organizationId, partner }: Owner,
  work: () => Promise<T>,
): Promise<T> {
  if (!partner) return work();
  await LEAVE_PARTNER.run(manager);
  const done = await work();
  await ENTER_PARTNER.run(manager, [organizationId, partner.id]);
  return done;
}
