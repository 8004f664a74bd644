import type { EntityManager } from 'typeorm';
import { statement } from './statement';

/** The numbers of advisory locks: any numbers, and the same in all processes of a database. */
export const LOCKS = {
  migration: 5_717_251,
  maintenance: 5_717_252,
  /** The slots of an organization for import jobs. */
  slots: 5_717_253,
  /** Whoever processes an import job has its lock. */
  jobs: 5_717_254,
  /** What import jobs compete for. */
  competition: 5_717_255,
  demo: 5_717_256,
  refresh: 5_717_257,
} as const;

/** What one transaction of an organization does at a time. */
export type OrganizationLock = 'bib-plan' | 'catalogue' | 'external-ids' | 'race-day';

/** An SQL expression that takes the lock until the transaction ends. */
export const lockOf = (name: OrganizationLock, organizationId = '$1'): string =>
  `pg_advisory_xact_lock(hashtextextended('${name}/' || ${organizationId}, 0))`;

const lock = (name: OrganizationLock) => {
  const taken = statement({ parameters: ['text'], sql: `SELECT ${lockOf(name)}` });
  return (manager: EntityManager, organizationId: string) => taken.run(manager, [organizationId]);
};

/** Two concurrent loads into one organization would create the same rows twice. */
export const lockCatalogue = lock('catalogue');
/** Two partners that exchange external ids would deadlock. Call it before any write. */
export const lockExternalIds = lock('external-ids');
