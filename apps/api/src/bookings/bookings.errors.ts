import { defineErrors } from '#libs/http';

export const bookingErrors = defineErrors({
  notFromApi: () => [
    403,
    'Only bookings whose source is API can be cancelled here: this one was made on the platform.',
  ],
});
