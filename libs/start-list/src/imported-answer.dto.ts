/** An answer to a question of a booking form. */
export class ImportedAnswer {
  /**
   * The booking form field.
   * @format uuid
   */
  id: string;

  /**
   * The answer: a number for `NUMBER`, a Boolean for `BOOLEAN` and `WAIVER`, an array of option values for
   * `MULTI_SELECT`, and text for all others.
   * @example M
   */
  value: string | number | boolean | string[] | null;
}
