import type { ProblemCode } from '#platform/validation';

/** A problem of the body. */
export class BodyProblem {
  /**
   * The property; empty for the body as a whole.
   * @example bookings[3].booker.email
   */
  path: string;

  /**
   * In a batch: the index of the row, from 0.
   * @integer
   * @example 3
   */
  row: number | null;

  /**
   * In a batch: the external id of the row, if it has one.
   * @example order-1815
   */
  externalId: string | null;

  /** A stable code for the broken rule. More codes may be added. */
  code: ProblemCode;

  /**
   * A sentence that names the property and the rule.
   * @example bookings[3].booker.email must be an email address
   */
  message: string;

  /**
   * With `BIB_NUMBER_TAKEN`: the participant who has the bib.
   * @format uuid
   */
  participantId?: string;
}

/** The body of every error response. */
export class ApiErrorBody {
  /**
   * The HTTP status.
   * @integer
   * @example 400
   */
  statusCode: number;

  /**
   * The text of the HTTP status.
   * @example Bad Request
   */
  error: string;

  /**
   * A description of the problem in English, for developers and logs. Programs must not depend on its wording.
   * @example page[size] must be a whole number between 1 and 500
   */
  message: string;

  /**
   * Up to 100 problems of the body; `message` is the first of them. Absent if the error is not about the body.
   * @maxItems 100
   */
  problems?: BodyProblem[];
}
