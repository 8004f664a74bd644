import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * How many rows a list or a capacity counts, as deltas appended by trigger and now and then compacted: the
 * count is their sum. A single row per count would make concurrent imports wait for each other.
 */
@Entity('tallies')
@Index(['organizationId', 'kind', 'subjectId'])
export class Counter {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('text')
  kind: string;

  /** The organization, event, race or ticket that is counted for. */
  @Column('uuid')
  subjectId: string;

  @Column('bigint')
  delta: string;
}

/** Uses of one operation by one key, in its newest window. Unlogged: a crash may forgive, never accuse. */
@Entity('rate_windows')
export class RateWindow {
  @PrimaryColumn('uuid')
  apiKeyId: string;

  @PrimaryColumn('text')
  endpoint: string;

  @Column('timestamptz')
  windowStart: Date;

  @Column('int')
  used: number;
}
