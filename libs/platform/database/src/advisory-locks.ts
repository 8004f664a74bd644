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
type OrganizationLock = 'bib-plan' | 'catalogue' | 'external-ids' | 'race-day';

/** An SQL expression that takes the lock of `$1` until the transaction ends. */
export const lockOf = (name: OrganizationLock): string =>
  `pg_advisory_xact_lock(hashtextextended('${name}/' || $1, 0))`;

/** Takes such locks: of an organization, or of something in it, which its id precedes. */
export const organizationLock = (name: OrganizationLock) => {
  const taken = statement({ parameters: ['text'], sql: `SELECT ${lockOf(name)}` });
  return (manager: EntityManager, id: string) => taken.run(manager, [id]);
};

/** Two concurrent loads into one organization would create the same rows twice. */
export const lockCatalogue = organizationLock('catalogue');
/** Two partners that exchange external ids would deadlock. Call it before any write. */
export const lockExternalIds = organizationLock('external-ids');
