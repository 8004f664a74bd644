import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { FairQueue } from '#platform/scheduling';
import type { Cluster } from './distributed/cluster';
import { withOnce } from './once';
import { execute, type QueryConfig } from './prepared-query';
import { HeldConnection, inTransaction, type Owner, queryInScope, type Scope } from './scope';
import { type Executor, nameOf, poolOf, waitingCallers } from './statement';

/** Rows as arrays. The text must be from a bounded set, because each text stays prepared. */
export const preparedStatement = (text: string, values?: unknown[]): QueryConfig => ({
  name: nameOf(text),
  text,
  values,
  rowMode: 'array',
});

/** As `preparedStatement`, with values as PostgreSQL writes them. */
export const textStatement = (text: string, values?: unknown[]): QueryConfig => ({
  ...preparedStatement(text, values),
  rowMode: 'text',
});

/**
 * Creates a span if a request or job is traced, including the wait for a connection. Statements contain no values: those
 * are parameters, which the span does not record.
 */
async function traced<T>(statement: string, work: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': statement };
  const span = trace.getTracer('startline').startSpan('postgresql', { kind: SpanKind.CLIENT, attributes });
  try {
    return await work();
  } catch (error) {
    span.setAttribute('error.type', String((error as { code?: unknown }).code ?? 'unknown'));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** A column of a result; PostgreSQL names its type by number. */
export interface Column {
  name: string;
  dataTypeID: number;
}

/** Values in PostgreSQL's text format. */
export type TextRow = (string | null)[];

/** The result of a statement: its columns, and its rows as text. */
export interface Table {
  columns: readonly Column[];
  rows: TextRow[];
}

/** A source of rows: a pool, a transaction, or a replica. */
export interface RowReader {
  /** Rows as arrays, for statements whose columns are already text. */
  tuples<Row extends unknown[]>(text: string, values?: unknown[]): Promise<Row[]>;
  /** What `keep` returns for each row, called as the row arrives, so that a large result is never in memory as rows. */
  each<T>(
    text: string,
    values: unknown[],
    keep: (row: TextRow, columns: readonly Column[]) => T,
    options?: Pick<Scope, 'planOnce'>,
  ): Promise<T[]>;
}

/**
 * Runs work that needs a connection when one is available for its organization.
 *
 * @param address that of the node, in a distributed database
 */
type Admit = <T>(work: () => Promise<T>, address?: string) => Promise<T>;

/**
 * Prepared statements on TypeORM's own pool, without entities. Statements of an organization see only its rows;
 * without an organization, row-level security hides the rows of all tenants.
 */
export class Connections implements Executor, RowReader {
  constructor(
    readonly dataSource: DataSource,
    private readonly scope?: Scope,
    private readonly admit: Admit = (work) => work(),
    /** The nodes of a distributed database, if the scope's organization is on one of them. */
    private readonly cluster?: Cluster,
  ) {}

  get pool(): Pool {
    return poolOf(this.dataSource);
  }

  /** Runs `work` on the server that holds the rows of the scope, when it may have a connection there. */
  private async place<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
    const { cluster, scope } = this;
    if (!cluster || !scope) return this.admit(() => work(this.dataSource));
    const { dataSource, address } = await cluster.nodeOf(scope.organizationId);
    try {
      return await this.admit(() => work(dataSource), address);
    } catch (error) {
      await cluster.afterFailure(error);
      throw error;
    }
  }

  /** Rows as arrays, for the texts of lists and resources, which are from a bounded set: each stays prepared. */
  async tuples<Row extends unknown[]>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.execute<Row>(preparedStatement(text, values))).rows;
  }

  /** Rows whose values are not parsed, with their columns. The text must be from a bounded set, as for `tuples`. */
  async table(text: string, values: unknown[] = [], options?: Pick<Scope, 'planOnce'>): Promise<Table> {
    const scope = this.scope && { ...this.scope, ...options };
    return tableOf(await this.execute<TextRow>(textStatement(text, values), scope));
  }

  async each<T>(
    text: string,
    values: unknown[],
    keep: (row: TextRow, columns: readonly Column[]) => T,
    options?: Pick<Scope, 'planOnce'>,
  ): Promise<T[]> {
    const scope = this.scope && { ...this.scope, ...options };
    return (await this.execute<T & object>({ ...textStatement(text, values), each: keep }, scope)).rows;
  }

  /** Runs a query. Declare what can be declared with `statement()` instead. */
  execute<Row extends object>(
    query: QueryConfig,
    scope: Scope | undefined = this.scope,
  ): Promise<QueryResult<Row>> {
    return traced(query.text, () =>
      this.place((source) =>
        scope ? this.inScope<Row>(poolOf(source), scope, query) : execute<Row>(poolOf(source), query),
      ),
    );
  }

  /**
   * Commits when `work` resolves and rolls back when it throws. Read the response with `reader`, within the transaction:
   * a later read could fail, and the response would wrongly say that nothing was done.
   */
  transaction<T>(work: (manager: EntityManager, reader: RowReader) => Promise<T>): Promise<T> {
    return traced('BEGIN … COMMIT', () =>
      this.place(async (source) => {
        const runner = source.createQueryRunner();
        try {
          const client: PoolClient = await runner.connect();
          const { manager } = runner;
          return await withOnce(this.scope, (around) =>
            inTransaction(client, this.scope, () => around(manager, () => work(manager, readerOf(client)))),
          );
        } finally {
          await runner.release();
        }
      }),
    );
  }

  private async inScope<Row extends object>(pool: Pool, scope: Scope, query: QueryConfig) {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      return await queryInScope<Row>(client, scope, query);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}

export const tableOf = ({ fields, rows }: Pick<QueryResult<TextRow>, 'fields' | 'rows'>): Table => ({
  columns: fields,
  rows,
});

const readerOf = (client: PoolClient): RowReader => ({
  tuples: async <Row extends unknown[]>(text: string, values?: unknown[]) =>
    (await execute<Row>(client, preparedStatement(text, values))).rows,
  each: async <T>(text: string, values: unknown[], keep: (row: TextRow, columns: readonly Column[]) => T) =>
    (await execute<T>(client, { ...textStatement(text, values), each: keep })).rows,
});

/**
 * Access to PostgreSQL for requests. Statements of a request use `of`, which shares connections among organizations;
 * the few short statements of the process itself bypass the queue.
 */
@Injectable()
export class Database extends Connections implements OnApplicationShutdown {
  /** By the address of the node; undefined for one server. */
  private readonly shares = new Map<string | undefined, FairQueue>();

  /**
   * @param shareOut makes the queue that shares the connections of one server, which are fewer than its pool has; without
   * it, connections are not shared fairly
   * @param nodes the nodes of a distributed database
   */
  constructor(
    dataSource: DataSource,
    private readonly shareOut?: () => FairQueue,
    readonly nodes?: Cluster,
  ) {
    super(dataSource);
  }

  /** The number of callers that wait for a connection. */
  get waiting(): number {
    const queued = [...this.shares.values()].reduce((sum, { waiting }) => sum + waiting, 0);
    return waitingCallers(this.pool) + (this.nodes?.waiting ?? 0) + queued;
  }

  /**
   * @param whose a caller, whose partner limits the rows; or the id of an organization, for all of its rows
   * @throws ShareExceeded (each method) without executing anything, if the organization exceeds its share for too long
   */
  of(whose: string | Owner, withMarketplace = false): Connections {
    const { shareOut } = this;
    const { organizationId, partner }: Owner = typeof whose === 'string' ? { organizationId: whose } : whose;
    return this.scoped(
      { organizationId, partnerId: partner?.id, withMarketplace },
      shareOut && ((work, address) => this.sharesOf(shareOut, address).run(organizationId, work)),
    );
  }

  /** Like `of`, but bypasses the queue: for the few short statements of the process itself, such as reading a key. */
  pastQueue(organizationId: string): Connections {
    return this.scoped({ organizationId });
  }

  /** A connection to the server of an organization, for locks that outlast transactions. The caller releases it. */
  async hold(organizationId: string, idleMs: number): Promise<HeldConnection> {
    const { dataSource } = this.nodes ? await this.nodes.nodeOf(organizationId) : this;
    return HeldConnection.of(dataSource, { organizationId, onNode: !!this.nodes }, idleMs);
  }

  /**
   * Runs work that concerns all organizations on each server that holds some, and joins the results. A node that does not
   * answer is left out, as are its organizations.
   */
  async everywhere<T>(work: (on: Connections) => Promise<T[]>): Promise<T[]> {
    if (!this.nodes) return work(this);
    return this.nodes.everywhere(({ dataSource }) => work(new Connections(dataSource)));
  }

  /** The rows of the marketplace on each server, read by the same statement. Fails if a node does not answer. */
  async marketplace(organizationId: string, text: string, values: unknown[]): Promise<Table[]> {
    if (!this.nodes) return [await this.of(organizationId, true).table(text, values)];
    const scope = { organizationId, withMarketplace: true, onNode: true };
    const addresses = await this.nodes.addresses();
    const nodes = await Promise.all(addresses.map((address) => this.nodes?.node(address)));
    return Promise.all(
      nodes.map((node) => new Connections(node?.dataSource as DataSource, scope).table(text, values)),
    );
  }

  /** As `everywhere`, and on the coordinator: for the tables that every server has. */
  async onEveryServer(work: (on: Connections) => Promise<unknown>): Promise<void> {
    if (!this.nodes) return void (await work(this));
    const done = await Promise.allSettled([
      this.nodes.onHome(() => work(this)),
      this.everywhere(async (on) => [await work(on)]),
    ]);
    const [failed, ...others] = done.filter(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected' && others.length > 0) throw failed.reason;
  }

  /** Runs work that every server can do, on the first that responds. */
  async anywhere<T>(work: (on: Connections) => Promise<T>): Promise<T> {
    if (!this.nodes) return work(this);
    return this.nodes.anywhere((source) => work(new Connections(source)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.nodes?.close();
  }

  /** A node that responds slowly does not use up the connections to the others. */
  private sharesOf(shareOut: () => FairQueue, address: string | undefined): FairQueue {
    const shares = this.shares.get(address) ?? shareOut();
    this.shares.set(address, shares);
    return shares;
  }

  private scoped(scope: Scope, admit?: Admit): Connections {
    return new Connections(this.dataSource, { ...scope, onNode: !!this.nodes }, admit, this.nodes);
  }
}
