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
@Index('race_day_log_by_bib_idx', ['organizationId', 'bibNumber', 'changedAt', 'seq'], {
  where: 'named_by_bib',
})
@Index('race_day_log_pending_claims_idx', ['organizationId', 'bibNumber'], {
  where: 'sets_bib AND applied_at IS NULL',
})
@Index('race_day_log_waiting_since_idx', ['appliedAt'], { where: 'waiting_for IS NOT NULL' })
// TypeORM can't declare an index on an expression.
@Index('race_day_log_newest_idx', { synchronize: false })
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

  /** The participant, as given or as found by the bib; null while the message is unidentified. */
  @Column('uuid', { nullable: true })
  participantId: string | null;

  /** The message names only this bib: it is about the bib's holder as of `changed_at`. */
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

/**
 * A claim of a bib, with the period in which the participant holds the bib. A trigger records each claim of the
 * log that counts; the race-day worker links it: sets `until` and the race, and recomputes who holds the bib when.
 * Holdings of one bib in one race don't overlap.
 */
@Entity('bib_claims')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index('bib_claims_unlinked_idx', ['organizationId', 'bibNumber', 'changedAt'], { where: 'until IS NULL' })
@Index(
  'bib_claims_queue_idx',
  ['organizationId', 'raceId', 'bibNumber', 'changedAt', 'participantId', 'seq'],
  { where: 'until > changed_at' },
)
@Index(
  'bib_claims_holders_idx',
  ['organizationId', 'raceId', 'bibNumber', 'changedAt', 'participantId', 'seq'],
  { where: 'held_from IS NOT NULL' },
)
@Index('bib_claims_last_idx', ['organizationId', 'bibNumber', 'heldFrom', 'eventOccurrenceId'], {
  where: 'holds_last',
})
// The holder at a time, by GiST; TypeORM can't declare it.
@Index('bib_claims_held_idx', { synchronize: false })
export class BibClaim {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  participantId: string;

  @PrimaryColumn('timestamptz')
  changedAt: Date;

  /** The message in the log. */
  @PrimaryColumn('bigint')
  seq: string;

  /** Null: the participant gives up the bib it had. */
  @Column('text', { nullable: true })
  bibNumber: string | null;

  @Column('uuid', { nullable: true })
  raceId: string | null;

  @Column('uuid', { nullable: true })
  eventOccurrenceId: string | null;

  /**
   * The participant's next claim or its cancellation, whichever is earlier; `infinity` where there is neither,
   * `-infinity` where the entry isn't approved, null where the claim isn't linked yet.
   */
  @Column('timestamptz', { nullable: true })
  until: Date | null;

  /** When the participant began to hold the bib; null where somebody else held it all the time. */
  @Column('timestamptz', { nullable: true })
  heldFrom: Date | null;

  @Column('timestamptz', { nullable: true })
  heldUntil: Date | null;

  /** Nobody holds the bib in this race later. */
  @Column('boolean', { default: false })
  holdsLast: boolean;
}

/** The newest value of each custom field of a participant; a trigger keeps it. */
@Entity('race_day_fields')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayFieldValue {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  participantId: string;

  @PrimaryColumn('text')
  fieldId: string;

  @Column('jsonb')
  value: unknown;

  @Column('timestamptz')
  changedAt: Date;

  @Column('bigint')
  seq: string;
}

/**
 * Work that the race-day worker has to do besides pending messages: `participant_ids` have appeared and messages
 * may wait for them, or `bib_number` changed holders from `since` to `until`, so that messages that name it
 * have to be identified again.
 */
@Entity('race_day_tasks')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayTask {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('uuid', { array: true, nullable: true })
  participantIds: string[] | null;

  @Column('text', { nullable: true })
  bibNumber: string | null;

  @Column('timestamptz', { nullable: true })
  since: Date | null;

  /** With `since`: the last message that was identified again. */
  @Column('bigint', { default: -1 })
  afterSeq: string;

  @Column('timestamptz', { nullable: true })
  until: Date | null;
}

/** How far an organization's log has been folded. */
@Entity('race_day_folds')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayFold {
  @PrimaryColumn('uuid')
  organizationId: string;

  @Column('bigint')
  seq: string;
}

/** How many of a participant's messages were folded. */
@Entity('race_day_folded')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayFolded {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  participantId: string;

  @Column('bigint')
  messages: string;
}
