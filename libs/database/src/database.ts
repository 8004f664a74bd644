import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { FairQueue } from '#libs/fair-share';

/** Statements are prepared under a name that is derived from their text, so that PostgreSQL plans each only once. */
const names = new Map<string, string>();
const nameOf = (text: string): string => {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
};

/** Rows as arrays. The text must be from a bounded set, because each text stays prepared. */
export const preparedStatement = (text: string, values: unknown[] = []) => ({
  name: nameOf(text),
  text,
  values,
  rowMode: 'array' as const,
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

/** A source of rows: a pool, a transaction, or a replica. */
export interface RowReader {
  /** Rows as arrays, for statements whose columns are already text. */
  tuples<Row extends unknown[]>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Runs work that needs a connection when one is available for its organization. */
type Admit = <T>(work: () => Promise<T>) => Promise<T>;

/** Statements on TypeORM's own pool, prepared, without entities in between. */
export class Connections implements RowReader {
  constructor(
    readonly dataSource: DataSource,
    private readonly admit: Admit = (work) => work(),
  ) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Rows as objects. The text must be from a bounded set, because each text stays prepared. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const asked = { name: nameOf(text), text, values };
    return (await traced(text, () => this.admit(() => this.pool.query<Row>(asked)))).rows;
  }

  /** Rows as arrays, for statements whose columns are already text. */
  async tuples<Row extends unknown[]>(text: string, values: unknown[] = []): Promise<Row[]> {
    const asked = preparedStatement(text, values);
    return (await traced(text, () => this.admit(() => this.pool.query<Row>(asked)))).rows;
  }

  /** Rows as objects. Not prepared: for statements whose best plan depends on the current data. */
  async unprepared<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await traced(text, () => this.admit(() => this.pool.query<Row>(text, values)))).rows;
  }

  /**
   * Commits when `work` resolves and rolls back when it throws. Read the response with `reader`, within the transaction:
   * a later read could fail, and the response would wrongly say that nothing was done.
   */
  transaction<T>(work: (manager: EntityManager, reader: RowReader) => Promise<T>): Promise<T> {
    return traced('BEGIN … COMMIT', () =>
      this.admit(() => this.dataSource.transaction((manager) => work(manager, readerOf(manager)))),
    );
  }
}

const readerOf = ({ queryRunner }: EntityManager): RowReader => ({
  tuples: async <Row extends unknown[]>(text: string, values?: unknown[]) => {
    const client: PoolClient = await queryRunner?.connect();
    return (await client.query<Row>(preparedStatement(text, values))).rows;
  },
});

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

  /** How many wait for a connection. */
  get waiting(): number {
    return this.pool.waitingCount + (this.shares?.waiting ?? 0);
  }

  /** @throws ShareExceeded (each method) without executing anything, if the organization exceeds its share for too long */
  of(organizationId: string): Connections {
    const { shares } = this;
    return shares ? new Connections(this.dataSource, (work) => shares.run(organizationId, work)) : this;
  }
}
