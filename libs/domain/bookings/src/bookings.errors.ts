import { defineErrors } from '#platform/validation';

export const bookingErrors = defineErrors({
  notFromApi: () => [
    403,
    'Only bookings with source API can be cancelled through the API. This booking was made on the platform.',
  ],
  notForPartner: () => [
    403,
    'This booking came through a reserved entry group whose settings do not permit its partner to cancel (canPartnerCancel).',
  ],
});
