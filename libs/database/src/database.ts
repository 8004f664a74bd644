import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { FairQueue } from '#libs/fair-share';
import { queryInScope, scopeTransactions } from './scope';

/** Statements are prepared under a name derived from their text, so that PostgreSQL plans each but once. */
const names = new Map<string, string>();
const nameOf = (text: string): string => {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
};

/** For a connection of a pool: rows as arrays. The text must come from a bounded set: each stays prepared. */
export const preparedStatement = (text: string, values: unknown[] = []) => ({
  name: nameOf(text),
  text,
  values,
  rowMode: 'array' as const,
});

/**
 * A step of its own where a request or job is being traced, the wait for a connection included; background reading
 * is no trace. Statements hold no values: those are parameters, which a span does not tell.
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

/** Where rows are read: a pool, a transaction, a replica. */
export interface RowReader {
  /** Rows as arrays, for statements whose columns are already text. */
  tuples<Row extends unknown[]>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Runs a piece of work that needs one connection, when it may have it. */
type Admit = <T>(work: () => Promise<T>) => Promise<T>;

type Statement = Parameters<typeof queryInScope>[2];

/**
 * Statements on TypeORM's own pool, prepared, without entities in between. Those of an organization see its rows only;
 * where none is given, row-level security shows no tenant's rows.
 */
export class Connections implements RowReader {
  constructor(
    readonly dataSource: DataSource,
    private readonly organizationId?: string,
    private readonly admit: Admit = (work) => work(),
  ) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Rows as objects. The text must come from a bounded set: each distinct text stays prepared. */
  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.run({ name: nameOf(text), text, values });
  }

  /** Rows as arrays, for statements whose columns are already text. */
  tuples<Row extends unknown[]>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.run(preparedStatement(text, values));
  }

  /** Rows as objects, planned anew each time: for statements whose best plan depends on the data of the moment. */
  unprepared<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.run({ text, values });
  }

  /**
   * Commits when `work` is done, rolls back when it throws. What is to be answered is read by `reader`, within the
   * transaction: a read afterwards could fail, and the answer would say that nothing was done.
   */
  transaction<T>(work: (manager: EntityManager, reader: RowReader) => Promise<T>): Promise<T> {
    return traced('BEGIN … COMMIT', () =>
      this.admit(async () => {
        const runner = this.dataSource.createQueryRunner();
        if (this.organizationId) scopeTransactions(runner, this.organizationId);
        try {
          return await runner.manager.transaction((manager) => work(manager, readerOf(manager)));
        } finally {
          await runner.release();
        }
      }),
    );
  }

  private async run<Row extends object>(statement: Statement): Promise<Row[]> {
    const { organizationId } = this;
    const { rows } = await traced(statement.text, () =>
      this.admit(() =>
        organizationId ? this.inScope<Row>(organizationId, statement) : this.pool.query<Row>(statement),
      ),
    );
    return rows;
  }

  private async inScope<Row extends object>(organizationId: string, statement: Statement) {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      return await queryInScope<Row>(client, organizationId, statement);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}

const readerOf = ({ queryRunner }: EntityManager): RowReader => ({
  tuples: async <Row extends unknown[]>(text: string, values?: unknown[]) => {
    const client: PoolClient = await queryRunner?.connect();
    return (await client.query<Row>(preparedStatement(text, values))).rows;
  },
});

/**
 * The hot paths' way to PostgreSQL. What a request asks goes through `of`, which shares the connections between
 * organizations; the process's own statements are few and short, and go past the queue.
 */
@Injectable()
export class Database extends Connections {
  /** @param shares hands out the pool's connections, fewer than it has; without it, all may ask at once */
  constructor(
    dataSource: DataSource,
    private readonly shares?: FairQueue,
  ) {
    super(dataSource);
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.pool.waitingCount + (this.shares?.waiting ?? 0);
  }

  /** @throws (each of its methods) ShareExceeded, with nothing done, where the organization asks too much at once */
  of(organizationId: string): Connections {
    const { shares } = this;
    return new Connections(
      this.dataSource,
      organizationId,
      shares && ((work) => shares.run(organizationId, work)),
    );
  }

  /** As `of`, past the queue: for the few short statements of the process itself, such as looking up a key. */
  pastQueue(organizationId: string): Connections {
    return new Connections(this.dataSource, organizationId);
  }
}
