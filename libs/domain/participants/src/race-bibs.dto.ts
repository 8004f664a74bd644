/** The bibs of a race. */
export class RaceBibs {
  /**
   * The race.
   * @format uuid
   */
  id: string;

  /**
   * The highest bib that is a number and that a participant has or claims; 0 if there is none.
   * @integer
   * @example 1815
   */
  highest: number;
}
