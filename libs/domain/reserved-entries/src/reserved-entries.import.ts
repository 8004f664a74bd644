import { brokenAnswers, brokenBirthDate, brokenName, defineImport } from '#platform/import-rows';
import { type AssignmentImportRow, AssignmentsImport } from './assignment-row.dto';

export const reservedEntriesImport = defineImport<'reservedEntriesImport', AssignmentImportRow>({
  surface: 'reservedEntriesImport',
  what: 'reserved entries',
  description:
    'Assigns places of reserved entry groups to people. A row with a blank or unknown identifier fails with ' +
    '`INVALID_ASSIGNMENT`, a row for a full group with `NO_CAPACITY_REMAINING`, and a row for a `SINGLE_USE` group that the ' +
    'email address has a place of with `ALREADY_USED`. A row that a partner sends after the deadline of its group fails with ' +
    '`DEADLINE_PASSED`.',
  path: 'reserved-entries/participants/import',
  collection: 'assignments',
  body: AssignmentsImport,
  row: 'AssignmentImportRow',
  externalId: 'externalAssignmentId',
  forPartners: true,
  identity: { externalAssignmentId: 'exact' },
  broken: ({ participant }) => [
    ...brokenName('participant', participant),
    ...brokenBirthDate('participant.dateOfBirth', participant.dateOfBirth),
    ...brokenAnswers('participant.fields', participant.fields),
  ],
  ids: { participantId: 'start_list_entries.participant_id', bookingId: 'bookings.id' },
  competesFor: `SELECT 'group/' || lower(trimmed(r.payload ->> 'reservedEntryGroupId')) AS thing`,
  handler: () =>
    (require('./import-reserved-entries') as typeof import('./import-reserved-entries'))
      .importReservedEntries,
  undo: {
    permission: 'bookings:write',
    handler: () => (require('#domain/bookings') as typeof import('#domain/bookings')).undoBookings,
  },
});
