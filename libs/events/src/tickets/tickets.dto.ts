import type { Price } from '#libs/resources';
import type { Availability, ByLocale } from '../shapes.dto';

export type Approval = 'INSTANT' | 'BALLOT' | 'MANUAL';

/** What buyers choose at checkout: an entry to one race, at one price. */
export class Ticket {
  /** @format uuid */
  id: string;

  /** @example Early bird */
  title: string;

  /**
   * The title by locale; `en-GB` is always there.
   * @example {"en-GB": "Early bird", "fr-FR": "Tarif réduit"}
   */
  titleByLocale: ByLocale;

  /**
   * What it includes.
   * @example Includes a finisher's medal.
   */
  description: string;

  /**
   * Names the ticket within its occurrence.
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

  /** Derived from the sale's dates and the places left, at the moment of reading. */
  availability: Availability;

  /** Deleted tickets can be read by id; lists leave them out. */
  isDeleted: boolean;
}

/** A ticket with what its list leaves out. */
export class TicketDetails extends Ticket {
  /** @format uuid */
  eventOccurrenceId: string;

  /** @format uuid */
  eventId: string;

  /**
   * Before this it is not yet on sale; `null`: from the beginning.
   * @format date-time
   */
  saleStart: string | null;

  /**
   * From this on its sale is closed; `null`: never.
   * @format date-time
   */
  saleEnd: string | null;

  /**
   * How many places it has; `null`: as many as its race.
   * @integer
   * @example 500
   */
  maxCapacity: number | null;

  /**
   * How many of them are taken.
   * @integer
   * @example 312
   */
  usedCapacity: number;

  /** How an application for it becomes an entry. */
  approval: Approval;
}
