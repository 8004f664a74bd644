import type { RaceDistance } from './shapes.dto';

/** The way that a race takes. */
export class Course {
  /** @format uuid */
  id: string;

  /** @example Riverside loop */
  title: string;

  distance: RaceDistance;
}
