import { Exclude } from 'class-transformer';
import { Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { Booking, Event, EventOccurrence, Race, StartListEntry, Ticket, Wave } from '#platform/database';

const by = (name: string) => [
  { name: 'organization_id', referencedColumnName: 'organizationId' },
  { name, referencedColumnName: 'id' },
];

/** A start list entry with its relations, as a typical entity. */
@Entity('start_list_entries')
export class Participant extends StartListEntry {
  @Exclude()
  declare organizationId: string;

  @Exclude()
  declare emailNormalized: string | null;

  @ManyToOne(() => Booking)
  @JoinColumn(by('booking_id'))
  booking: Relation<Booking>;

  @ManyToOne(() => Ticket)
  @JoinColumn(by('ticket_id'))
  ticket: Relation<Ticket>;

  @ManyToOne(() => Race)
  @JoinColumn(by('race_id'))
  race: Relation<Race>;

  @ManyToOne(() => Event)
  @JoinColumn(by('event_id'))
  event: Relation<Event>;

  @ManyToOne(() => EventOccurrence)
  @JoinColumn(by('event_occurrence_id'))
  eventOccurrence: Relation<EventOccurrence>;

  @ManyToOne(() => Wave)
  @JoinColumn(by('wave_id'))
  wave: Relation<Wave> | null;
}

export const RELATIONS = {
  booking: true,
  ticket: true,
  race: true,
  event: true,
  eventOccurrence: true,
  wave: true,
};
