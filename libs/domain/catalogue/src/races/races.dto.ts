import { DateOnly, DateTime, Id, Int, LocalTime, Text, Value } from '#platform/validation';
import type { Course } from '../course.dto';
import type { ByLocale, PriceRange, RaceDistance, SportDiscipline } from '../shapes.dto';

/** A group of entries that start together. */
export class RaceWave {
  @Id() id: string;
  @Text({ example: 'Wave A' }) title: string;

  /** The start time; `null` until it is confirmed. */
  @DateTime() startDateTime: string | null;

  /**
   * The capacity of the wave; `null`: no limit. Approvals of applications respect it. Imports ignore it, like the
   * capacity of tickets and races, because they contain sales that were made elsewhere.
   */
  @Int({ example: 400 }) capacity: number | null;
}

/** A race with all fields. Fields without a value are `null`. */
export class Race {
  @Id() id: string;
  @Text({ example: 'Half marathon' }) title: string;

  /** The title by locale. The default title is always included. */
  @Value({ example: { 'en-GB': 'Half marathon', 'de-DE': 'Halbmarathon' } }) titleByLocale: ByLocale;
  discipline: SportDiscipline | null;
  distance: RaceDistance;

  /** `null` until the start is confirmed. */
  @DateOnly() startDate: string | null;

  /** Local time at the event. */
  @LocalTime({ example: '09:30:00' }) startTime: string | null;
  priceRange: PriceRange;
  @Id() eventOccurrenceId: string;
  @Id() eventId: string;
  course: Course | null;

  /** In order of start time. */
  waves: RaceWave[];

  /** The capacity over all tickets; `null`: no limit. */
  @Int({ example: 2_500 }) maxCapacity: number | null;

  /** The number of places that are taken; `null` for keys of partners, who see how many of their own are taken. */
  @Int({ example: 1_312 }) usedCapacity: number | null;
}
