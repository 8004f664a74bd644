import type { ImportedAnswer } from '#domain/participants';

/** The person who gets a reserved place. */
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

/** An assignment of a reserved place. A row with a blank identifier fails with `INVALID_ASSIGNMENT`; the batch does not. */
export class AssignmentImportRow {
  /**
   * Your own id.
   * @maxLength 255
   * @example hospice-12
   */
  externalAssignmentId: string;

  /**
   * The group's id.
   * @maxLength 255
   * @example 01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b
   */
  reservedEntryGroupId: string;

  /**
   * The slug of a ticket of the group.
   * @maxLength 255
   * @example charity-place
   */
  ticketSlug: string;

  participant: AssignedParticipant;
}

export class AssignmentsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  assignments: AssignmentImportRow[];
}
