import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NIL_ID } from '#platform/validation';
import { Holds } from './holds';
import { Organization } from './organizations';
import { OwnedRow } from './owned-row';

/** An organization with change events. Triggers record changes if the row exists. */
@Entity('change_event_feeds')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class ChangeEventFeed {
  @PrimaryColumn('uuid')
  organizationId: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  startedAt: Date;

  /** All transactions that wrote before they could see this row have ended, so every later change is recorded. */
  @Column('boolean', { default: false })
  complete: boolean;

  /** The last event for which deliveries were created, by its time and id. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  fannedOutAt: Date;

  @Column('uuid', { default: NIL_ID })
  fannedOutId: string;
}

/** A change. A trigger writes it in the transaction of the change. Contains ids, never personal data. */
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
  @Holds('platform')
  type: string;

  @Column('uuid')
  subjectId: string;

  @Column('uuid', { nullable: true })
  eventOccurrenceId: string | null;

  @Column('jsonb')
  @Holds('platform')
  data: Record<string, unknown>;
}
