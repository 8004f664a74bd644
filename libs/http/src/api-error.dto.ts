/** The body of every answer that is not a success. */
export class ApiErrorBody {
  /**
   * The HTTP status, once more.
   * @integer
   * @example 400
   */
  statusCode: number;

  /**
   * The status in words.
   * @example Bad Request
   */
  error: string;

  /**
   * What is wrong and what to do, in plain English: for developers and logs, not to match on.
   * @example page[size] must be a whole number between 1 and 500
   */
  message: string;
}
