import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';

/**
 * Counters of lists and capacities, as deltas that triggers append and maintenance compacts. The count is their sum. A
 * single row per counter would make concurrent imports wait for each other.
 */
@Entity('tallies')
@Index(['organizationId', 'kind', 'subjectId'])
export class Counter {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('text')
  @Holds('platform')
  kind: string;

  /** The organization, event, race or ticket of the counter, or a hash of the tag. */
  @Column('uuid')
  subjectId: string;

  @Column('bigint')
  delta: string;
}

/**
 * The version of an organization's data, for ETags: as random deltas that statement triggers append and maintenance
 * compacts. The version is their sum.
 */
@Entity('organization_versions')
export class OrganizationVersion {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('bigint')
  delta: string;

  /** After every time that the statement gave to its rows. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at: Date;
}

/** Requests of a key to an operation in the current window. Unlogged: after a crash, counts start at zero. */
@Entity('rate_windows')
export class RateWindow {
  @PrimaryColumn('uuid')
  apiKeyId: string;

  @PrimaryColumn('text')
  @Holds('platform')
  endpoint: string;

  @Column('timestamptz')
  windowStart: Date;

  @Column('int')
  used: number;
}
