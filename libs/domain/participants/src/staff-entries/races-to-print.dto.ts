/** A wave of a race. */
export class WaveToPrint {
  /** @format uuid */
  id: string;

  /**
   * The title.
   * @example Wave A
   */
  title: string;
}

/** A race whose lists and labels can be printed. */
export class RaceToPrint {
  /** @format uuid */
  id: string;

  /**
   * The title.
   * @example Marathon
   */
  title: string;

  /** @format uuid */
  eventOccurrenceId: string;

  /**
   * The title of the event.
   * @example City Marathon
   */
  eventTitle: string;

  /**
   * The date of the event.
   * @format date
   */
  startDate: string | null;

  /**
   * The time zone of the event.
   * @example Europe/London
   */
  timeZone: string;

  /** The first 500, in the order of their starts. */
  waves: WaveToPrint[];
}
