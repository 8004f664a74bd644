import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type CALLED_OFF, type RESOLUTION_TYPES } from '#platform/validation';
import { Holds } from './holds';
import { Organization } from './organizations';
import { References, TimedRow } from './owned-row';

/** Locale (`en-GB`) to text. */
export type ByLocale = Record<string, string>;
export interface Address {
  city?: string;
  formatted?: string;
  countryCode?: string;
  countryName?: string;
  addressLine1?: string;
  addressLine2?: string;
  countyLine?: string;
  postCode?: string;
}

/** A recurring event, such as the "City Marathon", with an occurrence per year. */
@Entity('events')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Unique(['organizationId', 'slug'])
export class Event extends TimedRow {
  @Holds('organizer', 'text') slug: string;
  @Holds('organizer', 'text') title: string;
}

@Entity('event_occurrences')
@References(() => Event, 'eventId')
@Unique(['organizationId', 'slug'])
@Index(['organizationId', 'startDate', 'id'])
@Index(['organizationId', 'eventId', 'startDate'])
@Index(['organizationId', 'updatedAt', 'id'])
// TypeORM can't declare the indexes for the search and the order of the marketplace.
@Index('event_occurrences_search_words_idx', { synchronize: false })
@Index('event_occurrences_marketplace_idx', { synchronize: false })
@Index('event_occurrences_several_days_idx', { synchronize: false })
export class EventOccurrence extends TimedRow {
  @Column('uuid') eventId: string;

  /** Part of the checkout link. */
  @Holds('organizer', 'text') slug: string;
  @Holds('organizer', 'text') title: string;
  @Holds('organizer', 'jsonb', { default: {} }) titleByLocale: ByLocale;
  @Holds('organizer', 'text', { array: true, default: [] }) tags: string[];

  /** `EventContent` in the API. */
  @Holds('organizer', 'jsonb', { default: {} }) content: Record<string, string>;
  @Holds('organizer', 'date', { nullable: true }) startDate: string | null;

  /** IANA name. */
  @Holds('organizer', 'text') timeZone: string;
  @Column('double precision', { nullable: true }) latitude: number | null;
  @Column('double precision', { nullable: true }) longitude: number | null;
  @Holds('organizer', 'jsonb', { default: {} }) address: Address;
  @Holds('organizer', 'text', { nullable: true }) heroUrl: string | null;
  @Holds('organizer', 'text', { nullable: true }) logoUrl: string | null;
  @Holds('organizer', 'text', { array: true, default: [] }) imageUrls: string[];
  @Column('boolean', { default: true }) published: boolean;

  /** Its tickets are closed, and the marketplace leaves it out. A postponed one keeps its date until it gets another. */
  @Holds('platform', 'text', { nullable: true }) calledOff: (typeof CALLED_OFF)[number] | null;
  @Column('boolean', { default: true }) discoverable: boolean;

  /** The date that the marketplace showed last, while it does not show the occurrence any more. A trigger sets it. */
  @Holds('organizer', 'date', { nullable: true, insert: false, update: false }) removedStartDate?:
    | string
    | null;

  /** The latest start date of its races, or its own if that is later; null without its own. A trigger sets it. */
  @Holds('organizer', 'date', { nullable: true, insert: false, update: false }) lastStartDate?: string | null;

  /** Normalized words of title, city, races, tags and organizer. A trigger updates it. */
  @Holds('organizer', 'tsvector', { default: '', select: false, insert: false, update: false })
  searchWords?: string;
}

/**
 * All words that occurrences have ever contained, for the correction of mistyped words. Words are not unique, because
 * catalogue loads would wait for each other at a unique index.
 */
@Entity('search_vocabulary')
@Index('search_vocabulary_trigrams_idx', { synchronize: false })
@Index('search_vocabulary_beginning_idx', { synchronize: false })
export class SearchVocabulary {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id: string;
  @Index() @Holds('organizer', 'text') word: string;
}

@Entity('races')
@References(() => EventOccurrence, 'eventOccurrenceId')
@References(() => Event, 'eventId')
@Index(['organizationId', 'eventOccurrenceId', 'position', 'id'])
export class Race extends TimedRow {
  @Column('uuid') eventOccurrenceId: string;
  @Column('uuid') eventId: string;

  /** The position in the catalogue. */
  @Column('int', { default: 0 }) position: number;
  @Holds('organizer', 'text') title: string;
  @Holds('organizer', 'jsonb', { default: {} }) titleByLocale: ByLocale;
  @Holds('platform', 'text', { nullable: true }) discipline: string | null;
  @Column('numeric', { nullable: true }) distanceValue: string | null;
  @Holds('organizer', 'text', { nullable: true }) distanceUnit: string | null;
  @Holds('organizer', 'date', { nullable: true }) startDate: string | null;
  @Column('time', { nullable: true }) startTime: string | null;
  @Column('int', { nullable: true }) maxCapacity: number | null;
  @Column('uuid', { nullable: true }) courseId: string | null;
  @Holds('organizer', 'text', { nullable: true }) courseTitle: string | null;
}

@Entity('waves')
@References(() => Race, 'raceId')
@Index(['organizationId', 'raceId', 'position'])
export class Wave extends TimedRow {
  @Column('uuid') raceId: string;
  @Column('int', { default: 0 }) position: number;
  @Holds('organizer', 'text') title: string;
  @Column('timestamptz', { nullable: true }) startDateTime: Date | null;
  @Column('int', { nullable: true }) capacity: number | null;
}

@Entity('tickets')
@References(() => Race, 'raceId')
@References(() => EventOccurrence, 'eventOccurrenceId')
@References(() => Event, 'eventId')
@Unique(['organizationId', 'eventOccurrenceId', 'slug'])
@Index(['organizationId', 'eventOccurrenceId', 'position', 'id'])
@Index(['organizationId', 'raceId', 'position', 'id'])
export class Ticket extends TimedRow {
  @Column('uuid') raceId: string;
  @Column('uuid') eventOccurrenceId: string;
  @Column('uuid') eventId: string;
  @Column('int', { default: 0 }) position: number;
  @Holds('organizer', 'text') slug: string;
  @Holds('organizer', 'text') title: string;
  @Holds('organizer', 'jsonb', { default: {} }) titleByLocale: ByLocale;
  @Holds('organizer', 'text', { default: '' }) description: string;

  /** Minor units. */
  @Column('bigint') priceValue: string;
  @Holds('platform', 'text') currencyCode: string;
  @Column('timestamptz', { nullable: true }) saleStart: Date | null;
  @Column('timestamptz', { nullable: true }) saleEnd: Date | null;
  @Column('int', { nullable: true }) maxCapacity: number | null;
  @Holds('platform', 'text', { default: 'INSTANT' }) approval: (typeof RESOLUTION_TYPES)[number];

  /** Entries on one unit of this ticket: 1 for solo, more for teams and relays. */
  @Column('int', { default: 1 }) unitSize: number;

  /** Whether the ticket asks for a donation; its entries then have `hasDonated`. */
  @Column('boolean', { default: false }) asksDonation: boolean;
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null;
}
