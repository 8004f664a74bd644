import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { FairQueue } from '#libs/fair-share';

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

/** Statements on TypeORM's own pool, prepared, without entities in between. */
export class Connections implements RowReader {
  constructor(
    readonly dataSource: DataSource,
    private readonly admit: Admit = (work) => work(),
  ) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Rows as objects. The text must come from a bounded set: each distinct text stays prepared. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const asked = { name: nameOf(text), text, values };
    return (await traced(text, () => this.admit(() => this.pool.query<Row>(asked)))).rows;
  }

  /** Rows as arrays, for statements whose columns are already text. */
  async tuples<Row extends unknown[]>(text: string, values: unknown[] = []): Promise<Row[]> {
    const asked = preparedStatement(text, values);
    return (await traced(text, () => this.admit(() => this.pool.query<Row>(asked)))).rows;
  }

  /** Rows as objects, planned anew each time: for statements whose best plan depends on the data of the moment. */
  async unprepared<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await traced(text, () => this.admit(() => this.pool.query<Row>(text, values)))).rows;
  }

  /**
   * Commits when `work` is done, rolls back when it throws. What is to be answered is read by `reader`, within the
   * transaction: a read afterwards could fail, and the answer would say that nothing was done.
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
    return shares ? new Connections(this.dataSource, (work) => shares.run(organizationId, work)) : this;
  }
}
