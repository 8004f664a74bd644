import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A worker process. It renews its row while it runs, and deletes it when it ends. */
@Entity('workers')
export class WorkerProcess {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  host: string;

  /** Of the release. */
  @Column('text')
  version: string;

  /** The queues whose jobs it takes. */
  @Column('text', { array: true })
  queues: string[];

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  startedAt: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  seenAt: Date;

  /** From then on it counts as gone. */
  @Column('timestamptz')
  expiresAt: Date;
}
