import type { EntityManager } from 'typeorm';

/** A data source, or the connections of a request. */
export interface Transactions {
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** Called after each step of a search, with the number of rows that it read. */
  searched?(rows: number): Promise<void>;
}
