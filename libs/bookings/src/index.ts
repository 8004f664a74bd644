/**
 * Bookings: imports, cancellation and prices.
 *
 *   const outcome = await database.transaction((manager) =>
 *     cancelBooking(manager, { organizationId, bookingId, reason: 'The booking was cancelled through the API.' }));
 *
 * Code that writes line items, allocations or entries takes the locks in the order of CONTRIBUTING.md ("Locks and
 * transactions").
 */

export { AddOnProduct } from './add-ons.dto';
export { ADD_ON_ALLOCATIONS_OF_BOOKING } from './add-ons.resource';
export { Booking } from './bookings.dto';
export { bookingsImport } from './bookings.import';
export { BOOKING, BOOKINGS_BY_EXTERNAL_ID } from './bookings.resource';
export { BookingsService } from './bookings.service';
export { type CancelOutcome, cancelBooking } from './cancel-booking';
export { correctBookings } from './correct-bookings';
export { CorrectionsService } from './corrections.service';
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
export { ParticipantCorrection } from './participant-correction.dto';
export type { Amount } from './prices';
export { StartListParticipant, StartListRow } from './start-list-row.dto';
