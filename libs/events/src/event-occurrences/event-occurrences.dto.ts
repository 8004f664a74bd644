import type {
  ByLocale,
  EventContent,
  EventImages,
  EventLocation,
  PriceRange,
  RaceSummary,
} from '../shapes.dto';

/** `DRAFT` until it is published. Drafts are in no answer of the marketplace. */
export type OccurrenceStatus = 'PUBLISHED' | 'DRAFT';

/** One occurrence of an event, as lists show it. */
export class OrganizerEventOccurrenceSummary {
  /** @format uuid */
  id: string;

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

  priceRange: PriceRange;

  status: OccurrenceStatus;
}

/** One occurrence with its races and the link to its checkout. */
export class OrganizerEventOccurrence {
  /** @format uuid */
  id: string;

  /**
   * Where people book.
   * @format uri
   */
  checkoutUrl: string;

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
   * `null` while it is not fixed: such an occurrence is in no list.
   * @format date
   */
  startDate: string | null;

  location: EventLocation;

  images: EventImages;

  /** In catalogue order. */
  races: RaceSummary[];

  priceRange: PriceRange;

  status: OccurrenceStatus;

  /**
   * The event that it is an occurrence of.
   * @format uuid
   */
  eventId: string;

  /**
   * The IANA time zone of its dates and times.
   * @example Europe/London
   */
  timeZone: string;
}
