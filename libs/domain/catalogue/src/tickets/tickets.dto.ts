import type { Price } from '#platform/queries';
import { DateTime, Id, Int, type RESOLUTION_TYPES, Text, Value } from '#platform/validation';
import type { Availability, ByLocale } from '../shapes.dto';

export type Approval = (typeof RESOLUTION_TYPES)[number];

/**
 * A ticket: an entry to one race at one price.
 * @mostBytes 42000
 */
export class Ticket {
  @Id() id: string;
  @Text({ example: 'Early bird' }) title: string;

  /** The title by locale. `en-GB` is always included. */
  @Value({ example: { 'en-GB': 'Early bird', 'fr-FR': 'Tarif réduit' } }) titleByLocale: ByLocale;

  /** A description of what the ticket includes. */
  @Text({ example: "Includes a finisher's medal." }) description: string;

  /** The slug of the ticket, unique in its occurrence. */
  @Text({ example: 'early-bird' }) ticketSlug: string;
  @Id() raceId: string;

  /** The title of its race. */
  @Text({ example: 'Half marathon' }) raceTitle: string;
  price: Price;

  /** Computed from the sale dates and the remaining places at the time of the request. */
  availability: Availability;

  /** Deleted tickets can be read by id; lists do not include them. */
  isDeleted: boolean;
}

/** A ticket with all fields. */
export class TicketDetails extends Ticket {
  @Id() eventOccurrenceId: string;
  @Id() eventId: string;

  /** The start of the sale; `null`: the sale has no start. */
  @DateTime() saleStart: string | null;

  /** The end of the sale; `null`: the sale has no end. */
  @DateTime() saleEnd: string | null;

  /** The capacity of the ticket; `null`: the capacity of its race. */
  @Int({ example: 500 }) maxCapacity: number | null;

  /** The number of places that are taken; `null` for keys of partners, who see how many of their own are taken. */
  @Int({ example: 312 }) usedCapacity: number | null;

  /** How an application for the ticket is approved. */
  approval: Approval;
}
