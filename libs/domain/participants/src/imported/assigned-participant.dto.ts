import type { ImportedAnswer } from './imported-answer.dto';

/** The person who gets a place. */
export class AssignedParticipant {
  /**
   * @maxLength 255
   * @example Ada
   */
  firstName: string;

  /**
   * @maxLength 255
   * @example Lovelace
   */
  lastName: string;

  /**
   * @format email
   * @maxLength 254
   */
  email: string;

  /**
   * Between 1900-01-01 and today.
   * @format date
   * @example 1990-04-12
   */
  dateOfBirth?: string | null;

  /**
   * A value of the options of the form field `gender`.
   * @maxLength 50
   * @example FEMALE
   */
  gender?: string | null;

  /** @maxItems 200 */
  fields?: ImportedAnswer[];
}
