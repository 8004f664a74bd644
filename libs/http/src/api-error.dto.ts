import type { ProblemCode } from '#libs/bodies';

/** One rule that the body breaks. */
export class BodyProblem {
  /**
   * The property; empty for the body as a whole.
   * @example bookings[3].booker.email
   */
  path: string;

  /**
   * In a batch: which row, counted from 0.
   * @integer
   * @example 3
   */
  row: number | null;

  /**
   * In a batch: the row's own external id, where it has one.
   * @example order-1815
   */
  externalId: string | null;

  /** Which rule: a stable word to match on. More may be added. */
  code: ProblemCode;

  /**
   * A sentence that names the property and the rule.
   * @example bookings[3].booker.email must be an email address
   */
  message: string;
}

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

  /**
   * What is wrong with the body: up to 100 of its mistakes, the first of which is `message`. Absent where something
   * else is wrong.
   * @maxItems 100
   */
  problems?: BodyProblem[];
}
