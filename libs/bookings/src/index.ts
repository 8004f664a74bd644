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
export { Booker, type BookerType } from './booker.dto';
export { type CancelOutcome, cancelBooking } from './cancel-booking';
export { reduction } from './discount';
