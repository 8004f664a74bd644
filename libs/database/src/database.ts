import { Injectable } from '@nestjs/common';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { FairQueue } from '#libs/fair-share';
import { queryInScope, type Scope, scopeTransactions } from './scope';
import { type Executor, nameOf, poolOf } from './statement';

/** Rows as arrays. The text must be from a bounded set, because each text stays prepared. */
export const preparedStatement = (text: string, values: unknown[] = []) => ({
  name: nameOf(text),
  text,
  values,
  rowMode: 'array' as const,
});

const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** As `preparedStatement`, with values as PostgreSQL writes them. */
export const textStatement = (text: string, values?: unknown[]) => ({
  ...preparedStatement(text, values),
  types: AS_TEXT,
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
  /** Rows whose values are not parsed, with their columns. */
  table(text: string, values?: unknown[], options?: Pick<Scope, 'planOnce'>): Promise<Table>;
}

/** Runs work that needs a connection when one is available for its organization. */
type Admit = <T>(work: () => Promise<T>) => Promise<T>;

type Query = Parameters<typeof queryInScope>[2];

/**
 * Prepared statements on TypeORM's own pool, without entities. Statements of an organization see only its rows;
 * without an organization, row-level security hides the rows of all tenants.
 */
export class Connections implements Executor, RowReader {
  constructor(
    readonly dataSource: DataSource,
    private readonly scope?: Scope,
    private readonly admit: Admit = (work) => work(),
  ) {}

  get pool(): Pool {
    return poolOf(this.dataSource);
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

  /** Runs a query. Declare what can be declared with `statement()` instead. */
  execute<Row extends object>(
    query: Query,
    scope: Scope | undefined = this.scope,
  ): Promise<QueryResult<Row>> {
    return traced(query.text, () =>
      this.admit(() => (scope ? this.inScope<Row>(scope, query) : this.pool.query<Row>(query))),
    );
  }

  /**
   * Commits when `work` resolves and rolls back when it throws. Read the response with `reader`, within the transaction:
   * a later read could fail, and the response would wrongly say that nothing was done.
   */
  transaction<T>(work: (manager: EntityManager, reader: RowReader) => Promise<T>): Promise<T> {
    return traced('BEGIN … COMMIT', () =>
      this.admit(async () => {
        const runner = this.dataSource.createQueryRunner();
        if (this.scope) scopeTransactions(runner, this.scope.organizationId);
        try {
          return await runner.manager.transaction((manager) => work(manager, readerOf(manager)));
        } finally {
          await runner.release();
        }
      }),
    );
  }

  private async inScope<Row extends object>(scope: Scope, query: Query) {
    const client = await this.pool.connect();
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

const readerOf = ({ queryRunner }: EntityManager): RowReader => {
  const client = (): Promise<PoolClient> => queryRunner?.connect() as Promise<PoolClient>;
  return {
    tuples: async <Row extends unknown[]>(text: string, values?: unknown[]) =>
      (await (await client()).query<Row>(preparedStatement(text, values))).rows,
    table: async (text, values) =>
      tableOf(await (await client()).query<TextRow>(textStatement(text, values))),
  };
};

/**
 * Access to PostgreSQL for requests. Statements of a request use `of`, which shares connections among organizations;
 * the few short statements of the process itself bypass the queue.
 */
@Injectable()
export class Database extends Connections {
  /** @param shares shares fewer connections than the pool has; without it, connections are not shared fairly */
  constructor(
    dataSource: DataSource,
    private readonly shares?: FairQueue,
  ) {
    super(dataSource);
  }

  /** The number of callers that wait for a connection. */
  get waiting(): number {
    return this.pool.waitingCount + (this.shares?.waiting ?? 0);
  }

  /** @throws ShareExceeded (each method) without executing anything, if the organization exceeds its share for too long */
  of(organizationId: string, withMarketplace = false): Connections {
    const { shares } = this;
    return new Connections(
      this.dataSource,
      { organizationId, withMarketplace },
      shares && ((work) => shares.run(organizationId, work)),
    );
  }

  /** Like `of`, but bypasses the queue: for the few short statements of the process itself, such as reading a key. */
  pastQueue(organizationId: string): Connections {
    return new Connections(this.dataSource, { organizationId });
  }
}
