import type {
  ByLocale,
  EventContent,
  EventImages,
  EventLocation,
  PriceRange,
  RaceSummary,
} from '../shapes.dto';

/**
 * Links to pictures of the organizer.
 * @closed
 */
export class OrganizerImages {
  /**
   * Its logo.
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
   * Where to read more.
   * @format uri
   * @example https://city-runs.example.com
   */
  website?: string;
}

/**
 * One occurrence of an event, as the marketplace offers it.
 * @closed
 */
export class MarketplaceEvent {
  /** @format uuid */
  id: string;

  /**
   * Where people book, in the country that `countryCode` names.
   * @format uri
   * @example https://book.startline.example/gb/e/city-marathon-2027
   */
  checkoutUrl?: string;

  /** @example City Marathon 2027 */
  title: string;

  /**
   * The title by locale; the default title is always there.
   * @example {"en-GB": "City Marathon 2027", "fr-FR": "Marathon de la ville 2027"}
   */
  titleByLocale: ByLocale;

  /**
   * Words to find it by.
   * @example ["road", "flat"]
   */
  tags: string[];

  content: EventContent;

  /**
   * The day it starts, where it takes place.
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
