import { byName, counted, type UndoReason } from './words';

const records = (count: number) => counted(count, '1 record', '# records');

export const undo = {
  action: 'Undo import',
  title: 'Undo this import?',
  counting: 'Checking what this import created …',
  canBeUndone: 'Can be undone',
  canBeUndoneHelp:
    'Bookings and reserved entries are cancelled with all their entries, other records are deleted.',
  changedSince: 'Changed since',
  changedSinceHelp: 'Others have changed these since the import. They stay, unless you include them.',
  cannotBeUndone: 'Can’t be undone',
  cannotBeUndoneHelp: 'These stay as they are.',
  reasons: byName<UndoReason>({
    LINE_ITEMS: 'line items of another job',
    ADD_ONS: 'add-ons of another job',
    RACE_DAY: 'race-day updates',
    DECISION: 'a decision on an application',
    REDACTED: 'redacted',
    TRANSFERRED: 'given to another person',
    MOVED: 'moved to another ticket',
    REPLACED: 'changed by another job',
    ALREADY_CANCELLED: 'already cancelled',
    CORRECTED: 'corrected by this import, not created',
    SPENT: 'spent',
    USED: 'used',
    DELETED: 'deleted',
  }),
  examples: 'Examples',
  includeChanged: (count: number) => `Also cancel ${records(count)} that changed since`,
  effect:
    'Places, bibs, uses of discount codes and external IDs become available again. No money is refunded.',
  submit: (count: number) => `Cancel ${records(count)}`,
  nothing: 'There is nothing to cancel.',
  isUndo: 'This job undoes an import: it cancels what the import created.',
  jobTitle: 'Undo of an import',
  cancel: 'Stop undoing',
  cancelKeep: 'Keep undoing',
  cancelText: 'What is already cancelled stays cancelled. The rest is kept.',
  retryText: (count: number) => `${records(count)} will be tried again.`,
  undone: 'This import is being undone, or was undone.',
  followUndo: 'Show the job',
  showImport: 'Show the import',
  keep: 'Keep everything',
  counts: { succeeded: 'Cancelled', already: 'Already cancelled', failed: 'Not cancelled' },
};
