import { Price } from '#platform/queries';
import type { OccurrenceStatus } from './event-occurrences.dto';

/** How many places are taken. */
export class TakenPlaces {
  /** @format uuid */
  id: string;

  /**
   * The title.
   * @example Half marathon
   */
  title: string;

  /**
   * How many places are taken.
   * @integer
   * @example 812
   */
  usedCapacity: number;

  /**
   * The limit; `null` without one.
   * @integer
   * @example 1000
   */
  maxCapacity: number | null;
}

/** A ticket of the occurrence. */
export class TakenTicket extends TakenPlaces {
  /**
   * The title of its race.
   * @example Half marathon
   */
  raceTitle: string;

  /** What it costs. */
  price: Price;
}

/** A reserved entry group of the occurrence. */
export class TakenGroup extends TakenPlaces {
  /**
   * The name of its partner.
   * @example Harbour Hospice
   */
  partnerName: string | null;
}

/** The entries of one day. */
export class DayOfSales {
  /**
   * The day at the event.
   * @format date
   */
  day: string;

  /**
   * How many entries were made.
   * @integer
   * @example 31
   */
  entries: number;
}

/** An event occurrence: its capacity and its entries by day. */
export class OccurrenceOverview {
  /** @format uuid */
  id: string;

  /**
   * The title of the event occurrence.
   * @example City Marathon
   */
  title: string;

  /**
   * `null` while it is not confirmed.
   * @format date
   */
  startDate: string | null;

  /**
   * The time zone of the event.
   * @example Europe/London
   */
  timeZone: string;

  status: OccurrenceStatus;

  /** Whether the marketplace lists it once it is published. */
  discoverable: boolean;

  /**
   * The number of races.
   * @integer
   * @example 3
   */
  raceCount: number;

  /** The first 500, in the order of the catalogue. `GET /v0/event-occurrences/{id}/races` lists all. */
  races: TakenPlaces[];

  /**
   * The number of tickets that are not deleted.
   * @integer
   * @example 7
   */
  ticketCount: number;

  /** The first 500, in the order of the catalogue. `GET /v0/event-occurrences/{id}/tickets` lists all. */
  tickets: TakenTicket[];

  /**
   * The number of reserved groups.
   * @integer
   * @example 2
   */
  reservedGroupCount: number;

  /** The first 500, by name. `GET /v0/event-occurrences/{id}/reserved-entries` lists all. */
  reservedGroups: TakenGroup[];

  /** Days with entries, of the last 90 days before the newest entry. */
  sales: DayOfSales[];
}
