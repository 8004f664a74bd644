import type { EntityManager } from 'typeorm';

/** A data source, or the connections of a request. */
export interface Transactions {
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}
