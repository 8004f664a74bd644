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
  /**
   * The logo.
   * @format uri
   * @example https://images.example.com/city-runs/logo.png
   */
  logoUrl?: string;
}

/**
 * Who organizes the event.
 * @closed
 */
export class Organizer {
  /** @format uuid */
  id: string;

  /** @example City Runs */
  title: string;

  images: OrganizerImages;

  /**
   * The website.
   * @format uri
   * @example https://city-runs.example.com
   */
  website?: string;
}

/** An event occurrence that the marketplace no longer shows. */
export class RemovedEvent {
  /** @format uuid */
  id: string;

  /**
   * The start date that the marketplace showed last.
   * @format date
   */
  startDate: string;

  /**
   * The last change of the occurrence.
   * @format date-time
   */
  lastModified: string;
}

/**
 * An event occurrence in the marketplace.
 * @closed
 * @mostBytes 119000
 */
export class MarketplaceEvent {
  /** @format uuid */
  id: string;

  /**
   * The link to the checkout for the country of the `countryCode` parameter.
   * @format uri
   * @example https://book.startline.example/gb/city-runs/e/city-marathon-2027
   */
  checkoutUrl?: string;

  /** @example City Marathon 2027 */
  title: string;

  /**
   * The title by locale. The default title is always included.
   * @example {"en-GB": "City Marathon 2027", "fr-FR": "Marathon de la ville 2027"}
   */
  titleByLocale: ByLocale;

  /**
   * Keywords for the search.
   * @example ["road", "flat"]
   */
  tags: string[];

  content: EventContent;

  /**
   * The start date in the time zone of the occurrence.
   * @format date
   */
  startDate: string;

  location: EventLocation;

  images: EventImages;

  /** In catalogue order. */
  races: RaceSummary[];

  organizer: Organizer;

  priceRange: PriceRange;
}
