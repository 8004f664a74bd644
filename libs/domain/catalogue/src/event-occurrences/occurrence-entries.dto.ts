/** The entries of one day. */
export class EntriesOfDay {
  /**
   * The day at the event.
   * @format date
   */
  day: string;

  /**
   * Entries of bookings on the website.
   * @integer
   * @example 20
   */
  website: number;

  /**
   * Entries that were imported through the API.
   * @integer
   * @example 10
   */
  api: number;

  /**
   * Entries that staff made.
   * @integer
   * @example 1
   */
  dashboard: number;
}

/** The edition of an event before another one. */
export class EarlierEdition {
  /** @format uuid */
  id: string;

  /** @example City Marathon 2026 */
  title: string;

  /**
   * The day of its first race, in its time zone.
   * @format date
   */
  startDate: string;

  /**
   * The last 800 days with entries.
   * @maxItems 800
   */
  days: EntriesOfDay[];
}

/** When the entries of an event occurrence were made, those that were cancelled included. */
export class OccurrenceEntries {
  /**
   * `null` while it is not confirmed.
   * @format date
   */
  startDate: string | null;

  /**
   * The last 800 days with entries.
   * @maxItems 800
   */
  days: EntriesOfDay[];

  /** The edition before it, if there is one. */
  previous: EarlierEdition | null;
}
