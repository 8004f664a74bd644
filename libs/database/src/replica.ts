import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolClient, type QueryArrayConfig } from 'pg';
import { type ConnectionOptions, clientOptions } from './data-source';
import { preparedStatement, type RowReader } from './database';
import { outliveConnections } from './lost-connections';
import { queryInScope } from './scope';
import type { Watermark } from './watermark';

export interface ReplicaOptions extends ConnectionOptions {
  /** A replica further behind than this is passed over. */
  maxLagMs: number;
}

/** How long a connection, and the word how far it has replayed, may take. The primary is there as well. */
const PATIENCE_MS = 1_000;
/** A list that takes longer is the primary's: perhaps the replica is frozen. */
const LONGEST_LIST_MS = 5_000;
/** How long a replica that failed is left alone; then one request tries it. */
const REST_MS = 1_000;

/**
 * A streaming replica, for lists that end at the watermark. Where there is none, or it is behind, or anything goes
 * wrong, the caller reads on the primary.
 */
@Injectable()
export class Replica implements OnApplicationShutdown {
  private readonly logger = new Logger('replica');
  private readonly pool: Pool | undefined;
  private retryAt = 0;
  private away = false;
  private behind = false;

  constructor(
    private readonly watermark: Watermark,
    options?: ReplicaOptions,
  ) {
    if (!options) return;
    this.pool = new Pool({
      ...clientOptions({ ...options, poolWaitMs: PATIENCE_MS, statementTimeoutMs: LONGEST_LIST_MS }),
      connectionString: options.url,
      application_name: options.applicationName,
      max: options.poolSize,
    });
    this.pool.on('error', () => {});
    outliveConnections(this.pool);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }

  get isConfigured(): boolean {
    return this.pool !== undefined;
  }

  /** Whether it served the last list that it was asked for. */
  get isServing(): boolean {
    return !this.away && !this.behind;
  }

  /**
   * Does `work` on the replica, with a watermark that holds there: what was committed below it is seen.
   *
   * @param organizationId whose rows it sees
   * @param atLeast a watermark that the rows must not lie before, since the walk began with it
   * @returns undefined where the primary has to do it
   */
  async read<T>(
    organizationId: string,
    work: (reader: RowReader, watermark: string) => Promise<T>,
    atLeast = '',
  ): Promise<T | undefined> {
    if (!this.pool || this.retryAt > performance.now()) return undefined;
    // While it is away one request tries it, and the others don't wait for that.
    if (this.away) this.retryAt = performance.now() + REST_MS;
    let client: PoolClient | undefined;
    let failure: Error | undefined;
    const asked = async <Row extends unknown[]>(
      query: QueryArrayConfig & { query_timeout?: number },
      inScopeOf?: string,
    ) => {
      try {
        const connection = client as PoolClient;
        const answer = inScopeOf
          ? queryInScope<Row>(connection, inScopeOf, query)
          : connection.query<Row>(query);
        return (await answer).rows;
      } catch (error) {
        failure = error as Error;
        throw error;
      }
    };
    try {
      client = await this.pool.connect().catch((error) => {
        failure = error;
        throw error;
      });
      // In a statement of its own, before the rows are looked at: a statement sees what was replayed when it began.
      // A server that was promoted goes its own way.
      const [row] = await asked<[string | null]>({
        ...preparedStatement(
          `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::text END`,
        ),
        query_timeout: PATIENCE_MS,
      });
      this.back();
      const watermark = row?.[0] ? this.watermark.replayed(Number(row[0])) : undefined;
      this.behind = !watermark;
      if (!watermark || watermark < atLeast) return undefined;
      const tuples: RowReader['tuples'] = (text, values) =>
        asked(preparedStatement(text, values), organizationId);
      return await work({ tuples }, watermark);
    } catch (error) {
      // What the work itself has to say is no failure of the replica.
      if (!failure) throw error;
      this.gone(failure);
      return undefined;
    } finally {
      client?.release(failure);
    }
  }

  private back(): void {
    if (this.away) this.logger.log('It is back');
    this.away = false;
    this.retryAt = 0;
  }

  /** Also where it cancelled the statement, because the primary had removed rows that it was reading. */
  private gone({ message }: Error): void {
    if (!this.away) this.logger.warn(`It does not answer (${message}); the primary is read meanwhile`);
    this.away = true;
    this.retryAt = performance.now() + REST_MS;
  }
}
