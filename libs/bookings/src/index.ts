/**
 * What api and worker both do with bookings.
 *
 *   const outcome = await database.transaction((manager) =>
 *     cancelBooking(manager, { organizationId, bookingId, reason: 'The booking was cancelled through the API.' }));
 *
 * Whoever writes a booking's line items, allocations or entries locks the booking's row first; then discount
 * codes, then reserved entry groups, then the races' bibs (`lockBibs`), then entries, each in id order. Rows that
 * a unique index compares are written only after all of these are held: nobody then waits for a writer who waits
 * for them.
 */

export { AddOnProduct } from './add-ons.dto';
export { ADD_ON_ALLOCATIONS_OF_BOOKING } from './add-ons.resource';
export { Booking } from './bookings.dto';
export { bookingsImport } from './bookings.import';
export { BOOKING, BOOKINGS_BY_EXTERNAL_ID } from './bookings.resource';
export { BookingsService } from './bookings.service';
export { type CancelOutcome, cancelBooking } from './cancel-booking';
export { correctBookings } from './correct-bookings';
export { importBookings } from './import-bookings';
export { importLineItems } from './import-line-items';
export {
  insertStartList,
  type NewBooking,
  type NewEntry,
  type NewLineItem,
  startline,
  ticketLineItem,
} from './insert-start-list';
export { LINE_ITEMS_OF_BOOKING } from './line-items.resource';
export { type KnownBooking, lockBookings } from './lock-bookings';
export type { Amount } from './prices';
export { StartListParticipant, StartListRow } from './start-list-row.dto';
