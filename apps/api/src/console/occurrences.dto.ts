import { Price } from '#libs/resources';

/** How many places of something are taken. */
export class TakenPlaces {
  /** @format uuid */
  id: string;

  /** @example Half marathon */
  title: string;

  /**
   * @integer
   * @example 812
   */
  usedCapacity: number;

  /**
   * `null`: it has no limit of its own.
   * @integer
   * @example 1000
   */
  maxCapacity: number | null;
}

/** A ticket of the occurrence. */
export class TakenTicket extends TakenPlaces {
  /** @example Half marathon */
  raceTitle: string;

  price: Price;
}

/** The entries of one day. */
export class DayOfSales {
  /**
   * The day at the event.
   * @format date
   */
  day: string;

  /**
   * @integer
   * @example 31
   */
  entries: number;
}

/** An event occurrence: how full it is, and how its entries came in. */
export class OccurrenceOverview {
  /** @format uuid */
  id: string;

  /** @example City Marathon */
  title: string;

  /**
   * `null` while it is not confirmed.
   * @format date
   */
  startDate: string | null;

  /** @example Europe/London */
  timeZone: string;

  races: TakenPlaces[];

  tickets: TakenTicket[];

  /** The reserved groups of the event. */
  reservedGroups: TakenPlaces[];

  /** Days with entries, of the last 90 days before the newest entry. */
  sales: DayOfSales[];
}
