/** An answer to a question of a booking form. */
export class ImportedAnswer {
  /**
   * The booking form field.
   * @format uuid
   */
  id: string;

  /**
   * What was answered: a number for `NUMBER`, true or false for `BOOLEAN` and `WAIVER`, a list of option values for
   * `MULTI_SELECT`, text for all others.
   * @example M
   */
  value: string | number | boolean | string[] | null;
}
