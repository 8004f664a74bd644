import type { AssignedParticipant } from '#domain/participants';
import type { ImportCorrection } from '#platform/import-rows';
import { Items, Text } from '#platform/validation';

/** An assignment of a reserved place. A row with a blank identifier fails with `INVALID_ASSIGNMENT`; the batch does not. */
export class AssignmentImportRow {
  /** Your own id. */
  @Text({ max: 255, example: 'hospice-12' }) externalAssignmentId: string;

  /** The group's id. */
  @Text({ max: 255, example: '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) reservedEntryGroupId: string;

  /** The slug of a ticket of the group. */
  @Text({ max: 255, example: 'charity-place' }) ticketSlug: string;
  participant: AssignedParticipant;
}

export class AssignmentsImport {
  @Items({ min: 1, max: 10_000 }) assignments: AssignmentImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
