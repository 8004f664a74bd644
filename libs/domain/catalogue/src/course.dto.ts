import type { RaceDistance } from './shapes.dto';

/** The course of a race. */
export class Course {
  /** @format uuid */
  id: string;

  /** @example Riverside loop */
  title: string;

  distance: RaceDistance;
}
