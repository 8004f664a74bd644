import { DateOnly, Id, Text, Uri, Value } from '#platform/validation';
import type {
  ByLocale,
  EventContent,
  EventImages,
  EventLocation,
  PriceRange,
  RaceSummary,
} from '../shapes.dto';

/**
 * `DRAFT` until it is published. `POSTPONED` or `CANCELLED`: its tickets are `CLOSED`, and its bookings stay; a postponed
 * occurrence keeps its date until it gets another. The marketplace shows only published occurrences.
 */
export type OccurrenceStatus = 'PUBLISHED' | 'DRAFT' | 'POSTPONED' | 'CANCELLED';

/**
 * An event occurrence in a list.
 * @mostBytes 64000
 */
export class OrganizerEventOccurrenceSummary {
  @Id() id: string;
  @Text({ example: 'City Marathon 2027' }) title: string;

  /** The title by locale. The default title is always included. */
  @Value({ example: { 'en-GB': 'City Marathon 2027', 'fr-FR': 'Marathon de la ville 2027' } })
  titleByLocale: ByLocale;

  /** Keywords for the search. */
  @Text({ example: ['road', 'flat'] }) tags: string[];
  content: EventContent;

  /** The start date in the time zone of the occurrence. */
  @DateOnly() startDate: string;
  location: EventLocation;
  images: EventImages;
  priceRange: PriceRange;
  status: OccurrenceStatus;
}

/** An event occurrence with its races and the link to its checkout. */
export class OrganizerEventOccurrence {
  @Id() id: string;

  /** The link to the checkout. */
  @Uri({ example: 'https://book.startline.example/gb/city-runs/e/city-marathon-2027' }) checkoutUrl: string;
  @Text({ example: 'City Marathon 2027' }) title: string;

  /** The title by locale. The default title is always included. */
  @Value({ example: { 'en-GB': 'City Marathon 2027', 'fr-FR': 'Marathon de la ville 2027' } })
  titleByLocale: ByLocale;

  /** Keywords for the search. */
  @Text({ example: ['road', 'flat'] }) tags: string[];
  content: EventContent;

  /** `null` until the date is set. Lists do not include occurrences without a start date. */
  @DateOnly() startDate: string | null;
  location: EventLocation;
  images: EventImages;

  /** In catalogue order. */
  races: RaceSummary[];
  priceRange: PriceRange;
  status: OccurrenceStatus;

  /** The event of the occurrence. */
  @Id() eventId: string;

  /** The IANA time zone of its dates and times. */
  @Text({ example: 'Europe/London' }) timeZone: string;
}
