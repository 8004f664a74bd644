import type { Ids } from './catalogue';

let serial = 0;
/** A unique name. */
export const next = (name: string) => `${name}-${++serial}`;

export const gbp = (value: number) => ({ value, currencyCode: 'GBP' });

export const booker = {
  ...{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
  phone: '+44 20 7946 0018',
};

export const person = (ticketId: string, more: object = {}) => ({
  ...{ ticketId, firstName: 'Ada', lastName: 'L.' },
  ...more,
});

export const bookingOf = (ids: Ids, participants: object[], more: object = {}) => ({
  externalBookingId: next('order'),
  eventOccurrenceId: ids.occurrence,
  booker,
  participants,
  ...more,
});

/** The result of a booking in an import job. */
export interface Sale {
  bookingId: string;
  participantIds: string[];
  externalBookingId: string;
}
