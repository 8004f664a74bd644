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

  /**
   * With `BELOW_USE`: the used places.
   * @integer
   * @minimum 0
   * @maximum 2147483647
   */
  used?: number;

  /** With `CHANGED_MEANWHILE`: the record as it is now; of several, the first with 4,000,000 bytes together. */
  current?: CurrentRecord;
}

/** A record of the catalogue, as a catalogue file has it, and its version. */
export class CurrentRecord {
  /** @format uuid */
  id: string;

  /**
   * The version to send with the next write.
   * @maxLength 22
   * @example mJ0nT0rL5yB2q7Vd1eXw9A
   */
  version: string;

  /**
   * The record, with ids.
   * @example {"record": "event", "slug": "harbour-run", "title": "Harbour Run"}
   */
  record: Record<string, unknown>;
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
