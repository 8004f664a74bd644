import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { NOW } from './owned-row';

/** A worker process. It renews its row while it runs, and deletes the row when it stops. */
@Entity('workers')
export class WorkerProcess {
  @PrimaryColumn('uuid') id: string;
  @Holds('platform', 'text') host: string;

  /** Of the release. */
  @Holds('platform', 'text') version: string;

  /** The queues that it processes. */
  @Holds('platform', 'text', { array: true }) queues: string[];
  @Column(NOW) startedAt: Date;
  @Column(NOW) seenAt: Date;

  /** What it does, and how fast: a report of `Activity`. */
  @Holds('platform', 'jsonb', { default: {} }) activity: object;

  /** The worker counts as stopped from then on. */
  @Column('timestamptz') expiresAt: Date;
}
