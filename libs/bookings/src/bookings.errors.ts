import { defineErrors } from '#libs/errors';

export const bookingErrors = defineErrors({
  notFromApi: () => [
    403,
    'Only bookings with source API can be cancelled through the API. This booking was made on the platform.',
  ],
});
