/** Places of a race or a ticket with a maximum. */
export class ImportPlaces {
  /**
   * The race or the ticket.
   * @format uuid
   */
  id: string;

  /** @example 10 km */
  title: string;

  /** @format uuid */
  eventOccurrenceId: string;

  /**
   * The title of the event.
   * @example City Run 2027
   */
  eventOccurrenceTitle: string;

  /**
   * The places that there are.
   * @integer
   * @example 745
   */
  maximum: number;

  /**
   * The places that are used now.
   * @integer
   * @example 1224
   */
  used: number;

  /**
   * The places of rows of the job that are imported. A dry run would use them in addition to `used`.
   * @integer
   * @example 1100
   */
  added: number;
}

/** The places that an import of bookings uses. */
export class ImportPlacesOfJob {
  /** At most 100, the most overbooked first. */
  races: ImportPlaces[];

  /** At most 100, the most overbooked first. */
  tickets: ImportPlaces[];
}
