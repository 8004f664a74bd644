import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';

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

/** The hot paths' way to PostgreSQL: prepared statements on TypeORM's own pool, without entities in between. */
@Injectable()
export class Database {
  constructor(readonly dataSource: DataSource) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Rows as objects. The text must come from a bounded set: each distinct text stays prepared. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const asked = { name: nameOf(text), text, values };
    return (await traced(text, () => this.pool.query<Row>(asked))).rows;
  }

  /** Rows as arrays, for statements whose columns are already text. */
  async tuples<Row extends unknown[]>(text: string, values: unknown[] = []): Promise<Row[]> {
    const asked = preparedStatement(text, values);
    return (await traced(text, () => this.pool.query<Row>(asked))).rows;
  }

  /** Commits when `work` is done, rolls back when it throws. */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return traced('BEGIN … COMMIT', () => this.dataSource.transaction(work));
  }
}
