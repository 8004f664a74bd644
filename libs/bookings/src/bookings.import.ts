import { defineImport, firstProblem, problemOfPrice } from '#libs/import-rows';
import { type BookingImportRow, BookingsImport } from './booking-row.dto';

export const bookingsImport = defineImport<'bookingsImport', BookingImportRow>({
  surface: 'bookingsImport',
  what: 'bookings',
  description:
    'Bookings of a sale made elsewhere. They pass ticket and race capacity, sale dates and required answers, ' +
    'but count in them, and their entries are approved. Each participant gets one `TICKET` line item.',
  path: 'bookings/import',
  collection: 'bookings',
  body: BookingsImport,
  externalId: 'externalBookingId',
  identity: ({ externalBookingId }) => externalBookingId,
  problem: ({ bookerType, partnerId, participants }) => {
    if (partnerId && bookerType !== 'PARTNER') return '.partnerId is only valid when bookerType is PARTNER';
    return firstProblem(
      participants.flatMap(({ price, originalPrice }, i) => [
        problemOfPrice(`.participants[${i}].price`, price),
        problemOfPrice(`.participants[${i}].originalPrice`, originalPrice),
      ]),
    );
  },
  handler: () => (require('./import-bookings') as typeof import('./import-bookings')).importBookings,
});
