import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from './organizations';
import type { SHIPPING_STATUSES } from './start-list';

export const RACE_DAY_SOURCES = ['TIMING', 'RACE_DAY', 'IMPORT', 'CATALOGUE'] as const;

/**
 * Every race-day message as it was received, appended before its answer is sent. What participants show is a
 * projection of this log; the log itself only ever gains rows (and loses people's data to redaction, and what named
 * nobody for UNIDENTIFIED_DAYS). A message is pending until `applied_at` is set; from then on it waits while it
 * has `waiting_for`, and counts in the projection while it has not.
 */
@Entity('race_day_log')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index('race_day_log_participant_idx', ['organizationId', 'participantId', 'changedAt', 'seq'])
@Index('race_day_log_claims_idx', ['organizationId', 'bibNumber', 'participantId'], { where: 'sets_bib' })
@Index('race_day_log_named_by_bib_idx', ['organizationId', 'bibNumber', 'changedAt'], {
  where: 'named_by_bib',
})
@Index('race_day_log_pending_idx', ['organizationId', 'seq'], { where: 'applied_at IS NULL' })
@Index('race_day_log_waiting_idx', ['organizationId', 'waitingFor'], { where: 'waiting_for IS NOT NULL' })
export class RaceDayMessage {
  @PrimaryColumn('uuid')
  organizationId: string;

  /** The order of receipt; of two messages with the same `changed_at` the later received wins. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  seq: string;

  @Column('text')
  source: (typeof RACE_DAY_SOURCES)[number];

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  receivedAt: Date;

  @Column('timestamptz')
  changedAt: Date;

  /** Whom it is about, as given or as found by the bib; null while nobody is known. */
  @Column('uuid', { nullable: true })
  participantId: string | null;

  /** The message names nobody but this bib: it is about whoever wears it as of `changed_at`. */
  @Column('boolean', { default: false })
  namedByBib: boolean;

  /** The occurrences that the sending key is limited to. */
  @Column('uuid', { array: true, nullable: true })
  eventOccurrenceIds: string[] | null;

  /** Whether the message says something of the bib; with a null `bib_number` it unsets it. */
  @Column('boolean', { default: false })
  setsBib: boolean;

  @Column('text', { nullable: true })
  bibNumber: string | null;

  @Column('text', { nullable: true })
  shippingStatus: (typeof SHIPPING_STATUSES)[number] | null;

  @Column('timestamptz', { nullable: true })
  shippedAt: Date | null;

  @Column('text', { nullable: true })
  shippingCarrier: string | null;

  @Column('text', { nullable: true })
  trackingNumber: string | null;

  @Column('text', { nullable: true })
  trackingUrl: string | null;

  @Column('jsonb', { nullable: true })
  customFields: { id: string; value: unknown }[] | null;

  @Column('uuid', { nullable: true })
  apiKeyId: string | null;

  /** When a worker last dealt with it; null while it is pending. */
  @Column('timestamptz', { nullable: true })
  appliedAt: Date | null;

  /** The participant id or `bib:<number>` that has to appear before the message can apply. */
  @Column('text', { nullable: true })
  waitingFor: string | null;
}
