import { brokenAnswers, defineImport } from '#libs/import-rows';
import type { ImportedAnswer } from '#libs/start-list';

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
   * @format date
   * @example 1990-04-12
   */
  dateOfBirth?: string | null;

  /**
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

export const reservedEntriesImport = defineImport<'reservedEntriesImport', AssignmentImportRow>({
  surface: 'reservedEntriesImport',
  what: 'reserved entries',
  description:
    'Assigns places of reserved entry groups to people. A row with a blank or unknown identifier fails with ' +
    '`INVALID_ASSIGNMENT`, a row for a full group with `NO_CAPACITY_REMAINING`, and a row for a `SINGLE_USE` group that the ' +
    'email address has a place of with `ALREADY_USED`.',
  path: 'reserved-entries/participants/import',
  collection: 'assignments',
  body: AssignmentsImport,
  row: 'AssignmentImportRow',
  externalId: 'externalAssignmentId',
  // A blank id fails only its row.
  identity: ({ externalAssignmentId }) => externalAssignmentId.trim() || undefined,
  broken: ({ participant }) => brokenAnswers('participant.fields', participant.fields),
  ids: { participantId: 'start_list_entries.participant_id', bookingId: 'bookings.id' },
  handler: () =>
    (require('./import-reserved-entries') as typeof import('./import-reserved-entries'))
      .importReservedEntries,
});
