import type { Course } from '../course.dto';
import type { ByLocale, PriceRange, RaceDistance, SportDiscipline } from '../shapes.dto';

/** A group of entries that start together. */
export class RaceWave {
  /** @format uuid */
  id: string;

  /** @example Wave A */
  title: string;

  /**
   * The start time; `null` until it is confirmed.
   * @format date-time
   */
  startDateTime: string | null;

  /**
   * The capacity of the wave; `null`: no limit. Approvals of applications respect it. Imports ignore it, like the
   * capacity of tickets and races, because they contain sales that were made elsewhere.
   * @integer
   * @example 400
   */
  capacity: number | null;
}

/** A race with all fields. Fields without a value are `null`. */
export class Race {
  /** @format uuid */
  id: string;

  /** @example Half marathon */
  title: string;

  /**
   * The title by locale. The default title is always included.
   * @example {"en-GB": "Half marathon", "de-DE": "Halbmarathon"}
   */
  titleByLocale: ByLocale;

  discipline: SportDiscipline | null;

  distance: RaceDistance;

  /**
   * `null` until the start is confirmed.
   * @format date
   */
  startDate: string | null;

  /**
   * Local time at the event.
   * @format time-local
   * @example 09:30:00
   */
  startTime: string | null;

  priceRange: PriceRange;

  /** @format uuid */
  eventOccurrenceId: string;

  /** @format uuid */
  eventId: string;

  course: Course | null;

  /** In order of start time. */
  waves: RaceWave[];

  /**
   * The capacity over all tickets; `null`: no limit.
   * @integer
   * @example 2500
   */
  maxCapacity: number | null;

  /**
   * The number of places that are taken; `null` for keys of partners, who see how many of their own are taken.
   * @integer
   * @example 1312
   */
  usedCapacity: number | null;
}
