import { defineErrors } from '#libs/errors';

export const bookingErrors = defineErrors({
  notFromApi: () => [
    403,
    'Only bookings whose source is API can be cancelled here: this one was made on the platform.',
  ],
});
