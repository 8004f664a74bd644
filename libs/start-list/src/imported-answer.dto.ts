/** An answer to a question of a booking form. */
export class ImportedAnswer {
  /**
   * The booking form field.
   * @format uuid
   */
  id: string;

  /**
   * What was answered: text, a number, true or false, or a list of texts.
   * @example M
   */
  value: string | number | boolean | string[] | null;
}
