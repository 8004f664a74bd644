import type { StartListParticipant } from '#domain/participants';
import { type BOOKING_SOURCES } from '#platform/database';
import { DateTime, Id, Items, MAXIMA, Text, Value } from '#platform/validation';
import { BookingImportRow } from './booking-row.dto';

/**
 * A booking of a start list file: the row of a booking import, and properties that only the platform's own files
 * have. If a file is loaded again, absent properties do not change.
 */
export class StartListRow extends BookingImportRow {
  @Items({ min: 1, max: MAXIMA.participants }) declare participants: StartListParticipant[];

  /** Where the booking was made. */
  @Value({ default: 'WEBSITE' }) source?: (typeof BOOKING_SOURCES)[number] | null;

  /** When the booking and its applications were created. If absent, the time of loading. It never changes. */
  @DateTime() createdAt?: string | null;

  /** The id of the checkout. Bookings of one checkout share it. */
  @Id() transactionId?: string | null;

  /** The referral code that the booking used: a code of a referral program of the occurrence. */
  @Text({ max: 255, pattern: /\S/, example: 'ADA-9QX2' }) referralCode?: string | null;
}
