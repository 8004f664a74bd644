import { DateOnly, DateTime, Id, Text, Uri, Value } from '#platform/validation';
import type {
  ByLocale,
  EventContent,
  EventImages,
  EventLocation,
  PriceRange,
  RaceSummary,
} from '../shapes.dto';

/**
 * Links to images of the organizer.
 * @closed
 */
export class OrganizerImages {
  /** The logo. */
  @Uri({ example: 'https://images.example.com/city-runs/logo.png' }) logoUrl?: string;
}

/**
 * Who organizes the event.
 * @closed
 */
export class Organizer {
  @Id() id: string;
  @Text({ example: 'City Runs' }) title: string;
  images: OrganizerImages;

  /** The website. */
  @Uri({ example: 'https://city-runs.example.com' }) website?: string;
}

/** An event occurrence that the marketplace no longer shows. */
export class RemovedEvent {
  @Id() id: string;

  /** The start date that the marketplace showed last. */
  @DateOnly() startDate: string;

  /** The last change of the occurrence. */
  @DateTime() lastModified: string;
}

/**
 * An event occurrence in the marketplace.
 * @closed
 * @mostBytes 119000
 */
export class MarketplaceEvent {
  @Id() id: string;

  /** The link to the checkout for the country of the `countryCode` parameter. */
  @Uri({ example: 'https://book.startline.example/gb/city-runs/e/city-marathon-2027' }) checkoutUrl?: string;
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

  /** In catalogue order. */
  races: RaceSummary[];
  organizer: Organizer;
  priceRange: PriceRange;
}
