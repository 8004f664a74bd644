import { type RESOLUTION_TYPES } from '#platform/database';
import type { Price } from '#platform/queries';
import type { Availability, ByLocale } from '../shapes.dto';

export type Approval = (typeof RESOLUTION_TYPES)[number];

/**
 * A ticket: an entry to one race at one price.
 * @mostBytes 42000
 */
export class Ticket {
  /** @format uuid */
  id: string;

  /** @example Early bird */
  title: string;

  /**
   * The title by locale. `en-GB` is always included.
   * @example {"en-GB": "Early bird", "fr-FR": "Tarif réduit"}
   */
  titleByLocale: ByLocale;

  /**
   * A description of what the ticket includes.
   * @example Includes a finisher's medal.
   */
  description: string;

  /**
   * The slug of the ticket, unique in its occurrence.
   * @example early-bird
   */
  ticketSlug: string;

  /** @format uuid */
  raceId: string;

  /**
   * The title of its race.
   * @example Half marathon
   */
  raceTitle: string;

  price: Price;

  /** Computed from the sale dates and the remaining places at the time of the request. */
  availability: Availability;

  /** Deleted tickets can be read by id; lists do not include them. */
  isDeleted: boolean;
}

/** A ticket with all fields. */
export class TicketDetails extends Ticket {
  /** @format uuid */
  eventOccurrenceId: string;

  /** @format uuid */
  eventId: string;

  /**
   * The start of the sale; `null`: the sale has no start.
   * @format date-time
   */
  saleStart: string | null;

  /**
   * The end of the sale; `null`: the sale has no end.
   * @format date-time
   */
  saleEnd: string | null;

  /**
   * The capacity of the ticket; `null`: the capacity of its race.
   * @integer
   * @example 500
   */
  maxCapacity: number | null;

  /**
   * The number of places that are taken; `null` for keys of partners, who see how many of their own are taken.
   * @integer
   * @example 312
   */
  usedCapacity: number | null;

  /** How an application for the ticket is approved. */
  approval: Approval;
}
