import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from './organizations';
import { OwnedRow } from './owned-row';

/** An organization whose changes are announced: with its row the triggers begin. */
@Entity('change_event_feeds')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class ChangeEventFeed {
  @PrimaryColumn('uuid')
  organizationId: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  startedAt: Date;

  /** No transaction is left that wrote before it could see this row: nothing goes unannounced any more. */
  @Column('boolean', { default: false })
  complete: boolean;

  /** The last event that was handed to the webhook endpoints, by its time and id. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  fannedOutAt: Date;

  @Column('uuid', { default: '00000000-0000-0000-0000-000000000000' })
  fannedOutId: string;
}

/** Something that changed. Written by trigger in the transaction of the change; holds ids, never personal data. */
@Entity('change_events')
@Index('change_events_occurred_idx', ['organizationId', 'occurredAt', 'id'])
@Index('change_events_occurrence_idx', ['organizationId', 'eventOccurrenceId', 'occurredAt', 'id'], {
  where: 'event_occurrence_id IS NOT NULL',
})
// TypeORM can't declare its condition.
@Index('change_events_merging_idx', { synchronize: false })
export class ChangeEvent extends OwnedRow {
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  occurredAt: Date;

  @Column('text')
  type: string;

  @Column('uuid')
  subjectId: string;

  @Column('uuid', { nullable: true })
  eventOccurrenceId: string | null;

  @Column('jsonb')
  data: Record<string, unknown>;
}
