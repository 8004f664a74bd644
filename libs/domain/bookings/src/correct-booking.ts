import { isBookerByTransfer, type StoredEntry } from '#domain/participants';
import {
  type Corrected,
  cannot,
  corrected,
  type Given,
  instantIfGiven,
  type Problem,
} from '#platform/import-rows';
import { compared, instantOf, normalizeEmail } from '#platform/validation';
import type { StartListRow } from './start-list-row.dto';
import type { StoredBooking } from './stored-bookings';

/** A redacted booker stays redacted. */
export function correctBooking(stored: StoredBooking, row: StartListRow): Corrected<StoredBooking> {
  const { booker, bookerType, partnerId } = row;
  return corrected(stored, [
    ['source', 'source', row.source ?? undefined],
    ['transactionId', 'transaction_id', row.transactionId ?? undefined],
    ...(stored.booker_email === null
      ? []
      : ([
          ['booker.firstName', 'booker_first_name', booker.firstName],
          ['booker.lastName', 'booker_last_name', booker.lastName],
          ['booker.email', 'booker_email', booker.email],
          ['booker.phone', 'booker_phone', booker.phone],
          ['tracking', 'tracking', row.tracking],
          ['metadata', 'metadata', stored.metadata === null ? undefined : row.metadata],
        ] satisfies Given<StoredBooking>[])),
    ['bookerType', 'booker_type', bookerType],
    ['partnerId', 'partner_id', bookerType === 'CONSUMER' ? null : partnerId],
    ['bookedAt', 'booked_at', instantIfGiven(row.bookedAt)],
  ]);
}

/** The differences of a row in the sale itself or from a transfer, which cannot be corrected. */
export function problemOfSale(
  row: StartListRow,
  stored: StoredBooking,
  entries: StoredEntry[],
): Problem | undefined {
  if (row.eventOccurrenceId !== stored.event_occurrence_id)
    return cannot('eventOccurrenceId', 'the booking is for another occurrence');
  if (row.createdAt && instantOf(row.createdAt) !== stored.created_at)
    return cannot('createdAt', `the booking was created at ${stored.created_at}`);
  if (row.discountCode === null && stored.discount_code !== null)
    return cannot('discountCode', `the booking was paid for with ${stored.discount_code}`);
  if (row.discountCode && compared(row.discountCode) !== compared(stored.discount_code ?? ''))
    return cannot('discountCode', 'the booking was paid for without it');
  if (row.participants.length !== entries.length)
    return cannot('participants', `the booking has ${entries.length} of them`);
  if (
    isBookerByTransfer(stored, entries) &&
    normalizeEmail(row.booker.email) !== normalizeEmail(stored.booker_email ?? '')
  )
    return cannot('booker.email', 'the place of the booker was given to another person');
  return undefined;
}
