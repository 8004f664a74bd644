import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A worker process. It renews its row while it runs, and deletes the row when it stops. */
@Entity('workers')
export class WorkerProcess {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  host: string;

  /** Of the release. */
  @Column('text')
  version: string;

  /** The queues that it processes. */
  @Column('text', { array: true })
  queues: string[];

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  startedAt: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  seenAt: Date;

  /** The worker counts as stopped from then on. */
  @Column('timestamptz')
  expiresAt: Date;
}
