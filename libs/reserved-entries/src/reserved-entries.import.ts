import { defineImport } from '#libs/import-rows';
import { type AssignmentImportRow, AssignmentsImport } from './assignment-row.dto';

export const reservedEntriesImport = defineImport<'reservedEntriesImport', AssignmentImportRow>({
  surface: 'reservedEntriesImport',
  what: 'reserved entries',
  description:
    'Gives places of reserved entry groups to people. A blank or unknown identifier fails its row alone, as ' +
    '`INVALID_ASSIGNMENT`; a full group as `NO_CAPACITY_REMAINING`, a second place of a `SINGLE_USE` group as `ALREADY_USED`.',
  path: 'reserved-entries/participants/import',
  collection: 'assignments',
  body: AssignmentsImport,
  row: 'AssignmentImportRow',
  externalId: 'externalAssignmentId',
  // A blank one fails its row alone.
  identity: ({ externalAssignmentId }) => externalAssignmentId.trim() || undefined,
  handler: () =>
    (require('./import-reserved-entries') as typeof import('./import-reserved-entries'))
      .importReservedEntries,
});
