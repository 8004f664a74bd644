import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
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

/** The hot paths' way to PostgreSQL: prepared statements on TypeORM's own pool, without entities in between. */
@Injectable()
export class Database {
  constructor(readonly dataSource: DataSource) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Rows as objects. The text must come from a bounded set: each distinct text stays prepared. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>({ name: nameOf(text), text, values })).rows;
  }

  /** Rows as arrays, for statements whose columns are already text. */
  async tuples<Row extends unknown[]>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>({ name: nameOf(text), text, values, rowMode: 'array' })).rows;
  }

  /** Commits when `work` is done, rolls back when it throws. */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }
}
