import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';
import type { Owner, Scope } from './scope';

/** What the transaction of a request does besides its work, so that a repetition of the request does not do the work again. */
export interface Once {
  organizationId: string;
  /**
   * Called in each transaction of the organization, until one has committed.
   *
   * @param owner whose rows the transaction sees
   * @throws if an earlier request has done the work
   */
  around<T>(manager: EntityManager, owner: Owner, work: () => Promise<T>): Promise<T>;
}

interface Current {
  once: Once;
  hasCommitted: boolean;
}

const current = new AsyncLocalStorage<Current>();

/** Runs work whose first transaction is the one that is done once. */
export const doOnce = <T>(once: Once, work: () => Promise<T>): Promise<T> =>
  current.run({ once, hasCommitted: false }, work);

/** The work of a transaction, with what the request adds to it. */
export async function withOnce<T>(
  scope: Scope | undefined,
  transaction: (around: (manager: EntityManager, work: () => Promise<T>) => Promise<T>) => Promise<T>,
): Promise<T> {
  const found = current.getStore();
  if (!found || found.hasCommitted || found.once.organizationId !== scope?.organizationId)
    return transaction((_, work) => work());
  const { organizationId, partnerId } = scope;
  const owner = { organizationId, partner: partnerId ? { id: partnerId } : null };
  const done = await transaction((manager, work) => found.once.around(manager, owner, work));
  found.hasCommitted = true;
  return done;
}
