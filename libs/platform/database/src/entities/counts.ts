import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { NOW } from './owned-row';

/**
 * Counters of lists and capacities, as deltas that triggers append and maintenance compacts. The count is their sum. A
 * single row per counter would make concurrent imports wait for each other.
 */
@Entity('tallies')
@Index(['organizationId', 'kind', 'subjectId'])
export class Counter {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id: string;
  @Holds('platform', 'text') kind: string;

  /** The organization, event, race or ticket of the counter, or a hash of the tag. */
  @Column('uuid') subjectId: string;
  @Column('bigint') delta: string;
}

/**
 * The version of an organization's data, for ETags: as random deltas that statement triggers append and maintenance
 * compacts. The version is their sum.
 */
@Entity('organization_versions')
export class OrganizationVersion {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id: string;
  @Column('bigint') delta: string;

  /** After every time that the statement gave to its rows. */
  @Column(NOW) at: Date;
}

/**
 * A shared record that changed, until every entry that shows it has a new `updatedAt`. Workers walk the entries in the order of
 * their creation.
 */
@Entity('pending_refreshes')
export class PendingRefresh {
  @PrimaryColumn('uuid') organizationId: string;

  /** The table of the record; `charities`: a partner that participants have opted in to. */
  @Holds('platform', 'text', { primary: true }) source: string;
  @PrimaryColumn('uuid') sourceId: string;

  /** The event of the entries; null if they can be of any. */
  @Column('uuid', { nullable: true }) eventId: string | null;

  /** The properties that the walk announces. */
  @Holds('platform', 'text', { array: true, default: [] }) changed: string[];

  /** The properties that have changed since the walk began: another one follows. */
  @Holds('platform', 'text', { array: true, nullable: true }) changedSince: string[] | null;

  /** When the record last changed before the walk began. */
  @Column(NOW) requestedAt: Date;

  /** The last entry that the walk has reached. */
  @Column('timestamptz', { nullable: true }) afterCreatedAt: Date | null;
  @Column('uuid', { nullable: true }) afterId: string | null;
}

/** Begins the endpoint of windows of a day, which count the kilobytes that an organization, partner or key has sent. */
export const OF_A_DAY = 'day: ';

/** Requests of a key to an operation in the current window. Unlogged: after a crash, counts start at zero. */
@Entity('rate_windows')
export class RateWindow {
  @PrimaryColumn('uuid') apiKeyId: string;
  @Holds('platform', 'text', { primary: true }) endpoint: string;
  @Column('timestamptz') windowStart: Date;
  @Column('int') used: number;
}
