import { kindOfImport } from '#libs/client';
import { type ImportKind, type SheetField } from '#libs/sheets';
import { APPROVAL_STATUSES, BOOKING_SOURCES } from '#platform/database';
import { RESOLUTION_TYPES } from '#platform/validation';

const text = (path: string): SheetField => ({ path, type: 'string', required: false });
const time = (path: string): SheetField => ({ ...text(path), format: 'date-time' });
const choice = (path: string, values: readonly string[]): SheetField => ({
  ...text(path),
  values: [...values],
});
const list = (path: string): SheetField => ({ ...text(path), type: 'list' });

const bookings = kindOfImport('/v0/bookings/import');

/** A booking of a start list: that of the booking import, with what only our own files have. */
export const START_LIST: ImportKind = {
  ...bookings,
  fields: [
    ...bookings.fields,
    choice('source', BOOKING_SOURCES),
    time('createdAt'),
    { ...text('transactionId'), format: 'uuid' },
    text('referralCode'),
    ...[
      choice('approvalStatus', APPROVAL_STATUSES),
      choice('resolution', RESOLUTION_TYPES),
      text('ballotDraw'),
      text('applicationNotes'),
      list('participantNotes'),
      list('charityOptIn'),
      text('resultSubmission.url'),
      time('resultSubmission.submittedAt'),
    ].map((field) => ({ ...field, path: `participants[0].${field.path}` })),
  ],
};
