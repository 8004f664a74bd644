import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';

/** A worker process. It renews its row while it runs, and deletes the row when it stops. */
@Entity('workers')
export class WorkerProcess {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  @Holds('platform')
  host: string;

  /** Of the release. */
  @Column('text')
  @Holds('platform')
  version: string;

  /** The queues that it processes. */
  @Column('text', { array: true })
  @Holds('platform')
  queues: string[];

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  startedAt: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  seenAt: Date;

  /** What it does, and how fast: a report of `Activity`. */
  @Column('jsonb', { default: {} })
  @Holds('platform')
  activity: object;

  /** The worker counts as stopped from then on. */
  @Column('timestamptz')
  expiresAt: Date;
}
