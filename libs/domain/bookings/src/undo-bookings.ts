import { CLEARED } from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { type Booking, statement, typed } from '#platform/database';
import { failed, type ImportHandler, Outcomes, problem, succeeded } from '#platform/import-rows';
import { cancelBookings } from './cancel-bookings';
import { CHANGE_OF_TICKET } from './move/move-participant';

/** A row of a job that undoes an import. */
export interface UndoRow {
  bookingId: string;
  /** Cancels the booking although it has changed since it was imported. */
  evenIfChanged?: boolean;
}

const REASON = 'The import of the booking was undone.';

const ofEntries = (change: string, from: string, where: string) => /* sql */ `
  (SELECT '${change}' FROM start_list_entries e ${from}
    WHERE e.organization_id = b.organization_id AND e.booking_id = b.id AND ${where} LIMIT 1)`;

/** What others have done to a booking since an import made it. */
export type ChangeSinceImport =
  | 'LINE_ITEMS'
  | 'ADD_ONS'
  | 'RACE_DAY'
  | 'DECISION'
  | 'REDACTED'
  | 'TRANSFERRED'
  | 'MOVED';

/**
 * What others have done to booking `b` since an import made it, as an array of texts. An import of bookings makes line items
 * without external ids, no add-ons, entries without status details, and messages with the source `IMPORT`.
 */
const CHANGES_SINCE_IMPORT = /* sql */ `array_remove(ARRAY[
  (SELECT 'LINE_ITEMS' FROM line_items l
    WHERE l.organization_id = b.organization_id AND l.booking_id = b.id AND l.external_line_item_id IS NOT NULL LIMIT 1),
  (SELECT 'ADD_ONS' FROM add_on_allocations a
    WHERE a.organization_id = b.organization_id AND a.booking_id = b.id LIMIT 1),
  coalesce(
    ${ofEntries(
      'RACE_DAY',
      `CROSS JOIN LATERAL (SELECT FROM race_day_log l
      WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id
        AND l.source IN ('TIMING', 'RACE_DAY') LIMIT 1) said`,
      'true',
    )},
    ${ofEntries(
      'RACE_DAY',
      'JOIN race_day_folded f ON f.organization_id = e.organization_id AND f.participant_id = e.participant_id',
      'true',
    )}),
  ${ofEntries('DECISION', '', `e.status_details <> '[]'`)},
  CASE WHEN b.booker_email IS NULL THEN 'REDACTED' ELSE ${ofEntries('REDACTED', '', 'e.gdpr_redacted')} END,
  ${ofEntries('TRANSFERRED', '', `e.metadata #> '{startline,${CLEARED}}' = 'true'`)},
  (SELECT 'MOVED' FROM line_items l WHERE l.organization_id = b.organization_id AND l.booking_id = b.id
    AND l.item_type = 'TICKET' AND l.name = '${CHANGE_OF_TICKET}' AND l.external_line_item_id IS NULL LIMIT 1)
], NULL)`;

/** A SELECT of the booking with an id, for statements of imports. */
export const bookingsToUndo = (organizationId: string, id: string) => /* sql */ `
  SELECT b.id, CASE WHEN b.status = 'CANCELLED' THEN 'ALREADY_CANCELLED' END AS final, ${CHANGES_SINCE_IMPORT} AS changes
  FROM bookings b WHERE b.organization_id = ${organizationId} AND b.id = ${id}`;

const LOCK = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM bookings WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE
  `,
});

/** In a statement of its own after the lock, so that it sees what was committed while this transaction waited. */
const CURRENT = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    externalBookingId: 'text?',
    status: typed<Booking['status']>('text'),
    changes: typed<ChangeSinceImport[]>('text[]'),
  },
  sql: `
    SELECT b.id, b.external_booking_id AS "externalBookingId", b.status,
      CASE WHEN b.status = 'CONFIRMED' THEN ${CHANGES_SINCE_IMPORT} ELSE '{}' END AS changes
    FROM bookings b WHERE b.organization_id = $1 AND b.id = ANY ($2)
  `,
});

/** Cancels the bookings of an import, except for those that have changed after the undo was requested. */
export const undoBookings: ImportHandler<UndoRow> = async (context, rows) => {
  const { manager, organizationId, after } = context;
  const outcomes = new Outcomes(rows);
  const bookings = [organizationId, rows.map(({ payload }) => payload.bookingId)] as const;
  await lockRaceDay(manager, organizationId);
  await LOCK.run(manager, bookings);
  const current = await CURRENT.rows(manager, bookings);
  const byId = new Map(current.map((booking) => [booking.id, booking]));
  const cancelled: string[] = [];
  for (const { row, payload } of outcomes.open) {
    const booking = byId.get(payload.bookingId);
    if (!booking) {
      outcomes.settle(failed(row, problem('', 'BOOKING_NOT_FOUND', 'The booking does not exist.')));
      continue;
    }
    const { id: bookingId, externalBookingId, status, changes } = booking;
    if (status === 'CONFIRMED' && changes.length > 0 && !payload.evenIfChanged) {
      const message = `The booking has changed since it was imported: ${changes.join(', ')}.`;
      outcomes.settle(failed(row, problem('', 'CHANGED_SINCE_IMPORT', message)));
      continue;
    }
    if (status === 'CONFIRMED') cancelled.push(bookingId);
    const outcome = status === 'CONFIRMED' ? 'CANCELLED' : 'UNCHANGED';
    // Bookings of reserved entries have no id of their own.
    const named = externalBookingId === null ? {} : { externalBookingId };
    outcomes.settle(succeeded(row, outcome, { ...named, bookingId }));
  }
  // A wrong file took no place.
  await cancelBookings(manager, { organizationId, bookingIds: cancelled, reason: REASON, freesPlaces: true });
  // Bibs of cancelled entries have other holders now.
  after.enqueuesRaceDay ||= cancelled.length > 0;
  return outcomes.all();
};
