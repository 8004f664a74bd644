import type { Booker, BookerType } from '#domain/participants';
import { type BOOKING_SOURCES } from '#platform/database';
import type { CurrencyCode, Price } from '#platform/queries';
import { DateTime, Id, Text, Value } from '#platform/validation';

/** How the booking was created: on the website, by an import through the API, or by staff. */
export type BookingSource = (typeof BOOKING_SOURCES)[number];

/** Cancelled bookings stay readable. */
export type BookingStatus = 'CONFIRMED' | 'CANCELLED';

/** A booking in a list. */
export class BookingSummary {
  @Id() id: string;

  /** Cancelled bookings keep it. */
  @Text({ example: 'ORDER-1041' }) externalBookingId: string | null;
  source: BookingSource;
  status: BookingStatus;
  @Id() eventId: string;
  @Id() eventOccurrenceId: string;

  /** The sum of the paid line items. */
  total: Price;

  /** When the booking was stored. `bookedAt` is the time of the sale. */
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

/** One purchase, by one booker, for one or more participants. */
export class Booking extends BookingSummary {
  booker: Booker;
  bookerType: BookerType;

  /** The partner, if a partner booked. */
  @Id() partnerId: string | null;
  currencyCode: CurrencyCode;

  /** Its approved entries, as participants. */
  @Id() participantIds: string[];

  /** All its entries, as applications. */
  @Id() applicationIds: string[];

  /** The code that was used. */
  @Text({ example: 'SPRING-15' }) discountCode: string | null;

  /** Marketing parameters of the booking, as imported. */
  @Value({ example: { source: 'newsletter', medium: 'email', campaign: 'spring' } })
  tracking: Record<string, unknown>;

  /** When it was booked, if the import or file has it; otherwise use `createdAt`. */
  @DateTime() bookedAt: string | null;

  /** When the booking was cancelled. */
  @DateTime({ example: null }) cancelledAt: string | null;

  /**
   * With `extendMetadata=true`: the metadata of the import, as it was sent. The platform adds `startline`: the import
   * job and row, and `source` (the platform that the row names, otherwise the name of the API key).
   */
  @Value({
    example: {
      shop: 'Covent Garden',
      startline: { importJobId: '01990f3e-7a54-7c1b-9d0e-5b1f6a2c8e47', importRow: 17, source: 'Box office' },
    },
  })
  metadata?: Record<string, unknown>;
}
