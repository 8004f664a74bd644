import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { NOW, OwnedIndex } from './owned-row';
import type { SHIPPING_STATUSES } from './start-list';

export const RACE_DAY_SOURCES = ['TIMING', 'RACE_DAY', 'IMPORT', 'CATALOGUE'] as const;

/**
 * The log of race-day messages, appended before the response is sent. Participants show a projection of this log. Rows
 * are only added, except that redaction clears personal data and unidentified messages are deleted after
 * UNIDENTIFIED_DAYS. A message is pending until `applied_at` is set. After that it waits if `waiting_for` is set, and
 * otherwise it is part of the projection.
 */
@Entity('race_day_log')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@OwnedIndex('race_day_log_participant_idx', ['participantId', 'changedAt', 'seq'])
@OwnedIndex('race_day_log_claims_idx', ['bibNumber', 'participantId', 'changedAt', 'seq'], {
  where: 'sets_bib',
})
@OwnedIndex('race_day_log_by_bib_idx', ['bibNumber', 'changedAt', 'seq'], { where: 'named_by_bib' })
@OwnedIndex('race_day_log_pending_claims_idx', ['bibNumber'], { where: 'sets_bib AND applied_at IS NULL' })
@OwnedIndex('race_day_log_organization_waiting_since_idx', ['appliedAt'], {
  where: 'waiting_for IS NOT NULL',
})
// TypeORM can't declare an index on an expression.
@Index('race_day_log_newest_idx', { synchronize: false })
@OwnedIndex('race_day_log_pending_idx', ['seq'], { where: 'applied_at IS NULL' })
@OwnedIndex('race_day_log_unidentified_idx', ['seq'], {
  where: "waiting_for IS NOT NULL AND source = 'TIMING'",
})
@OwnedIndex('race_day_log_unidentified_key_idx', ['apiKeyId', 'seq'], {
  where: "waiting_for IS NOT NULL AND source = 'TIMING'",
})
@OwnedIndex('race_day_log_waiting_idx', ['waitingFor'], { where: 'waiting_for IS NOT NULL' })
export class RaceDayMessage {
  @PrimaryColumn('uuid') organizationId: string;

  /** The order of receipt. Of messages with the same `changed_at`, the last received applies. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) seq: string;
  @Holds('platform', 'text') source: (typeof RACE_DAY_SOURCES)[number];
  @Column(NOW) receivedAt: Date;
  @Column('timestamptz') changedAt: Date;

  /** The participant, from the message or found by the bib; `null` while the message is unidentified. */
  @Column('uuid', { nullable: true }) participantId: string | null;

  /** If the message has no participant: its bib, which identifies the bib holder at `changed_at`. */
  @Column('boolean', { default: false }) namedByBib: boolean;

  /** The occurrences that the key of the sender is restricted to. */
  @Column('uuid', { array: true, nullable: true }) eventOccurrenceIds: string[] | null;

  /** Whether the message sets the bib; `bib_number` `null` removes it. */
  @Column('boolean', { default: false }) setsBib: boolean;

  /** What is compared of the bib. */
  @Holds('organizer', 'text', { nullable: true }) bibNumber: string | null;

  /** The spelling of the bib, if it differs from what is compared. */
  @Holds('organizer', 'text', { nullable: true }) bibWritten: string | null;
  @Holds('platform', 'text', { nullable: true }) shippingStatus: (typeof SHIPPING_STATUSES)[number] | null;
  @Column('timestamptz', { nullable: true }) shippedAt: Date | null;
  @Holds('personal', 'text', { nullable: true }) shippingCarrier: string | null;
  @Holds('personal', 'text', { nullable: true }) trackingNumber: string | null;
  @Holds('personal', 'text', { nullable: true }) trackingUrl: string | null;
  @Holds('personal', 'jsonb', { nullable: true }) customFields: { id: string; value: unknown }[] | null;
  @Column('uuid', { nullable: true }) apiKeyId: string | null;

  /** When a worker last processed the message; `null` while it is pending. */
  @Column('timestamptz', { nullable: true }) appliedAt: Date | null;

  /** The participant id or `bib:<number>` that the message waits for. */
  @Holds('platform', 'text', { nullable: true }) waitingFor: string | null;
}

/**
 * A claim of a bib, with the period in which the participant is the bib holder. A trigger records each applied claim of
 * the log. The race-day worker links it: it sets `until` and the race, and recomputes the bib holders. The periods of a
 * bib in a race do not overlap.
 */
@Entity('bib_claims')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@OwnedIndex('bib_claims_unlinked_idx', ['bibNumber', 'changedAt'], { where: 'until IS NULL' })
@OwnedIndex('bib_claims_queue_idx', ['raceId', 'bibNumber', 'changedAt', 'participantId', 'seq'], {
  where: 'until > changed_at',
})
@OwnedIndex('bib_claims_holders_idx', ['raceId', 'bibNumber', 'changedAt', 'participantId', 'seq'], {
  where: 'held_from IS NOT NULL',
})
@OwnedIndex('bib_claims_last_idx', ['bibNumber', 'heldFrom', 'eventOccurrenceId'], { where: 'holds_last' })
@OwnedIndex('bib_claims_left_idx', ['participantId', 'changedAt', 'seq'], {
  where: 'bib_number IS NULL AND race_id IS NOT NULL',
})
// The holder at a time, by GiST; TypeORM can't declare it.
@Index('bib_claims_held_idx', { synchronize: false })
export class BibClaim {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') participantId: string;
  @PrimaryColumn('timestamptz') changedAt: Date;

  /** The message in the log. */
  @PrimaryColumn('bigint') seq: string;

  /** `null`: the participant gives up its bib. */
  @Holds('organizer', 'text', { nullable: true }) bibNumber: string | null;
  @Column('uuid', { nullable: true }) raceId: string | null;
  @Column('uuid', { nullable: true }) eventOccurrenceId: string | null;

  /**
   * The earlier of the participant's next claim and its cancellation; `infinity` if there is neither, `-infinity` if the
   * entry is not approved, `null` if the claim is not linked yet.
   */
  @Column('timestamptz', { nullable: true }) until: Date | null;

  /** When the participant became the bib holder; `null` if other participants held the bib all the time. */
  @Column('timestamptz', { nullable: true }) heldFrom: Date | null;
  @Column('timestamptz', { nullable: true }) heldUntil: Date | null;

  /** Whether this is the last holder of the bib in this race. */
  @Column('boolean', { default: false }) holdsLast: boolean;
}

/** The newest value of each custom field of a participant. A trigger updates it. */
@Entity('race_day_fields')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayFieldValue {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') participantId: string;
  @Holds('organizer', 'text', { primary: true }) fieldId: string;
  @Holds('personal', 'jsonb') value: unknown;
  @Column('timestamptz') changedAt: Date;
  @Column('bigint') seq: string;
}

/**
 * Work of the race-day worker besides pending messages: messages may wait for the new `participant_ids`, or the holders
 * of `bib_number` changed between `since` and `until`, so that messages with this bib must be identified again.
 */
@Entity('race_day_tasks')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayTask {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id: string;
  @Column('uuid', { array: true, nullable: true }) participantIds: string[] | null;
  @Holds('organizer', 'text', { nullable: true }) bibNumber: string | null;
  @Column('timestamptz', { nullable: true }) since: Date | null;

  /** With `since`: the last message that was identified again. */
  @Column('bigint', { default: -1 }) afterSeq: string;
  @Column('timestamptz', { nullable: true }) until: Date | null;
}

/** The position up to which superseded messages of an organization were deleted. */
@Entity('race_day_folds')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayFold {
  @PrimaryColumn('uuid') organizationId: string;
  @Column('bigint') seq: string;
}

/** The number of deleted messages of a participant. */
@Entity('race_day_folded')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class RaceDayFolded {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') participantId: string;
  @Column('bigint') messages: string;
}
