import type { Course } from '../course.dto';
import type { ByLocale, PriceRange, RaceDistance, SportDiscipline } from '../shapes.dto';

/** A group that starts together. */
export class RaceWave {
  /** @format uuid */
  id: string;

  /** @example Wave A */
  title: string;

  /**
   * When it starts; `null` while that is not confirmed.
   * @format date-time
   */
  startDateTime: string | null;

  /**
   * How many it takes; `null`: no limit of its own. Approvals of applications keep to it. Imports pass it, as they pass the
   * capacities of tickets and races: they put participants into the wave that was sold to them.
   * @integer
   * @example 400
   */
  capacity: number | null;
}

/** One race with what summaries leave out: here every field is there, `null` where it has no value. */
export class Race {
  /** @format uuid */
  id: string;

  /** @example Half marathon */
  title: string;

  /**
   * The title by locale; the default title is always there.
   * @example {"en-GB": "Half marathon", "de-DE": "Halbmarathon"}
   */
  titleByLocale: ByLocale;

  discipline: SportDiscipline | null;

  distance: RaceDistance;

  /**
   * `null` while the start is not confirmed.
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

  /** In the order of their starts. */
  waves: RaceWave[];

  /**
   * How many places it has over all tickets; `null`: no limit of its own.
   * @integer
   * @example 2500
   */
  maxCapacity: number | null;

  /**
   * How many of them are taken.
   * @integer
   * @example 1312
   */
  usedCapacity: number;
}
