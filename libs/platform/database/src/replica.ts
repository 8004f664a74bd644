import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { type ConnectionOptions, clientOptions } from './data-source';
import { type Column, preparedStatement, type RowReader, type TextRow, textStatement } from './database';
import { connectionTo } from './hosts';
import { outliveConnections } from './lost-connections';
import { execute, type QueryConfig } from './prepared-query';
import { queryInScope, type Scope } from './scope';
import type { Watermark } from './watermark';

export interface ReplicaOptions extends ConnectionOptions {
  /** A replica with a larger lag is not used. */
  maxLagMs: number;
}

/** The timeout of a connection and of the query for the replay position. */
const PATIENCE_MS = 1_000;
/** The timeout of a list, after which the primary serves it: the replica may be frozen. */
const LONGEST_LIST_MS = 5_000;
/** How long a failed replica is not used; then one request tries it. */
const REST_MS = 1_000;

/**
 * A streaming replica, for lists that end at the watermark. If there is no replica, its lag is too large, or it fails, the
 * caller reads from the primary.
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
      ...connectionTo(options.url),
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

  /** Whether the replica served the last list. */
  get isServing(): boolean {
    return !this.away && !this.behind;
  }

  /**
   * Runs `work` on the replica, with a watermark that is valid there: everything committed below it is visible.
   *
   * @param scope whose rows it sees
   * @param atLeast the watermark of the first page of the walk, which must be reached
   * @returns `undefined` if the primary must serve the list
   */
  async read<T>(
    scope: Scope,
    work: (reader: RowReader, watermark: string) => Promise<T>,
    atLeast = '',
  ): Promise<T | undefined> {
    if (!this.pool || this.retryAt > performance.now()) return undefined;
    // While the replica is unavailable, one request tries it; the others do not wait.
    if (this.away) this.retryAt = performance.now() + REST_MS;
    let client: PoolClient | undefined;
    let failure: Error | undefined;
    const asked = async <Row extends object>(query: QueryConfig, within?: Scope) => {
      try {
        const connection = client as PoolClient;
        return await (within
          ? queryInScope<Row>(connection, within, query)
          : execute<Row>(connection, query));
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
      // A separate statement before the list: a statement sees what was replayed when it began. A promoted server is not
      // used.
      const { rows } = await asked<[string | null]>({
        ...preparedStatement(
          `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::text END`,
        ),
        query_timeout: PATIENCE_MS,
      });
      this.back();
      const [row] = rows;
      const watermark = row?.[0] ? this.watermark.replayed(Number(row[0])) : undefined;
      this.behind = !watermark;
      if (!watermark || watermark < atLeast) return undefined;
      const reader: RowReader = {
        tuples: async <Row extends unknown[]>(text: string, values?: unknown[]) =>
          (await asked<Row>(preparedStatement(text, values), scope)).rows,
        each: async <T>(
          text: string,
          values: unknown[],
          keep: (row: TextRow, columns: readonly Column[]) => T,
          options?: Pick<Scope, 'planOnce'>,
        ) =>
          (await asked<T & object>({ ...textStatement(text, values), each: keep }, { ...scope, ...options }))
            .rows,
      };
      return await work(reader, watermark);
    } catch (error) {
      // Errors of the work itself are not failures of the replica.
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

  /** Includes statements that the replica cancelled because the primary had removed rows that they read. */
  private gone({ message }: Error): void {
    if (!this.away) this.logger.warn(`It does not answer (${message}); the primary is read meanwhile`);
    this.away = true;
    this.retryAt = performance.now() + REST_MS;
  }
}
