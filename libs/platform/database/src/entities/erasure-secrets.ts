import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { NOW } from './owned-row';

/** A secret that ids of erased persons were hashed with. The latest generation counts. */
@Entity('erasure_secrets')
export class ErasureSecret {
  @PrimaryColumn('int') generation: number;

  /** A keyed hash of a fixed text, from which the secret can't be computed. */
  @Holds('platform', 'text') verification: string;
  @Column(NOW) acceptedAt: Date;
}
