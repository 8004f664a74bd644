import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';

/** A secret that ids of erased persons were hashed with. The latest generation counts. */
@Entity('erasure_secrets')
export class ErasureSecret {
  @PrimaryColumn('int')
  generation: number;

  /** A keyed hash of a fixed text, from which the secret can't be computed. */
  @Column('text')
  @Holds('platform')
  verification: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  acceptedAt: Date;
}
