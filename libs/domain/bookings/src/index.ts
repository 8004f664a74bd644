/**
 * Bookings: imports, cancellation and prices.
 *
 *   const outcomes = await database.transaction((manager) =>
 *     cancelBookings(manager, { organizationId, bookingIds, reason: 'The organizer cancelled the booking.' }));
 *
 * Code that writes line items, allocations or entries takes the locks in the order of CONTRIBUTING.md ("Locks and
 * transactions").
 */

export { AddParticipantService } from './add/add-participant.service';
export { NewParticipant } from './add/new-participant.dto';
export { AddOnProduct } from './add-ons.dto';
export { ADD_ON_ALLOCATIONS_OF_BOOKING } from './add-ons.resource';
export { Booking } from './bookings.dto';
export { bookingsImport } from './bookings.import';
export { BookingsDomainModule } from './bookings.module';
export { BOOKING, BOOKINGS, BOOKINGS_BY_EXTERNAL_ID } from './bookings.resource';
export { BookingsService, cancelByOrganizer } from './bookings.service';
export { cancelBookings } from './cancel-bookings';
export { ChangeOfJob, ParticipantsChange } from './change/participant-change.dto';
export { correctBookings } from './correct-bookings';
export { importBookings } from './import-bookings';
export {
  insertStartList,
  type NewBooking,
  type NewLineItem,
  startline,
  ticketLineItem,
} from './insert-start-list';
export { LINE_ITEMS, LINE_ITEMS_OF_BOOKING } from './line-items.resource';
export { inInstants } from './local-times';
export { type KnownBooking, lockBookings } from './lock-bookings';
export { MovesService } from './move/moves.service';
export { ParticipantMove } from './move/participant-move.dto';
export type { Amount } from './prices';
export { codeEarlierBookings, giveReferralCodes, ORGANIZATIONS_TO_CODE } from './referral-codes';
export { StartListRow } from './start-list-row.dto';
export { bookingsToUndo, type ChangeSinceImport, undoBookings } from './undo-bookings';
export { addOnsToUndo, lineItemsToUndo, undoRecords } from './undo-line-items';
