import { brokenPrice, defineImport, when } from '#libs/import-rows';
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
  row: 'BookingImportRow',
  externalId: 'externalBookingId',
  identity: ({ externalBookingId }) => externalBookingId,
  broken: ({ bookerType, partnerId, participants }) => [
    ...when([
      partnerId && bookerType !== 'PARTNER',
      'partnerId',
      'INVALID_COMBINATION',
      'is only valid when bookerType is PARTNER',
    ]),
    ...participants.flatMap(({ price, originalPrice }, i) => [
      ...brokenPrice(`participants[${i}].price`, price),
      ...brokenPrice(`participants[${i}].originalPrice`, originalPrice),
    ]),
  ],
  handler: () => (require('./import-bookings') as typeof import('./import-bookings')).importBookings,
});
