import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NIL_ID } from '#platform/validation';
import { Holds } from './holds';
import { Organization } from './organizations';
import { NOW, OwnedIndex, OwnedRow } from './owned-row';

/** An organization with change events. Triggers record changes if the row exists. */
@Entity('change_event_feeds')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class ChangeEventFeed {
  @PrimaryColumn('uuid') organizationId: string;
  @Column(NOW) startedAt: Date;

  /** All transactions that wrote before they could see this row have ended, so every later change is recorded. */
  @Column('boolean', { default: false }) complete: boolean;

  /** The last event for which deliveries were created, by its time and id. */
  @Column(NOW) fannedOutAt: Date;
  @Column('uuid', { default: NIL_ID }) fannedOutId: string;
}

/** A change. A trigger writes it in the transaction of the change. Contains ids, never personal data. */
@Entity('change_events')
@OwnedIndex('change_events_occurred_idx', ['occurredAt', 'id'])
@OwnedIndex('change_events_occurrence_idx', ['eventOccurrenceId', 'occurredAt', 'id'], {
  where: 'event_occurrence_id IS NOT NULL',
})
// TypeORM can't declare its condition.
@Index('change_events_merging_idx', { synchronize: false })
export class ChangeEvent extends OwnedRow {
  @Column(NOW) occurredAt: Date;
  @Holds('platform', 'text') type: string;
  @Column('uuid') subjectId: string;
  @Column('uuid', { nullable: true }) eventOccurrenceId: string | null;
  @Holds('platform', 'jsonb') data: Record<string, unknown>;
}
