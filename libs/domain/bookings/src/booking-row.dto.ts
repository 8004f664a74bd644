import type { ImportedParticipant } from '#domain/participants';
import { type BOOKER_TYPES } from '#platform/database';
import type { ImportCorrection } from '#platform/import-rows';
import { DateTime, Email, Id, Items, Json, MAXIMA, Name, Text, Value } from '#platform/validation';

/** The person who booked. */
export class ImportedBooker {
  @Email() email: string;
  @Name({ max: 255, example: 'Ada' }) firstName?: string | null;
  @Name({ max: 255, example: 'Lovelace' }) lastName?: string | null;
  @Text({ max: 50, example: '+44 20 7946 0018' }) phone?: string | null;
}

/** A booking that was sold elsewhere. */
export class BookingImportRow {
  /** Your id of the booking. If a booking that is not cancelled already has this id, the row changes nothing. */
  @Text({ max: 255, pattern: /\S/, example: 'order-1815' }) externalBookingId: string;

  /** The occurrence that the booking is for: `GET /v0/event-occurrences` lists them. */
  @Id() eventOccurrenceId: string;
  booker: ImportedBooker;

  /** The participants. Each becomes an entry and a line item. */
  @Items({ min: 1, max: MAXIMA.participants }) participants: ImportedParticipant[];

  /** When the booking was made in that sale; the time of the import unless given. A discount code must be valid then. */
  @DateTime() bookedAt?: string | null;

  /** Who booked. */
  @Value({ default: 'CONSUMER' }) bookerType?: (typeof BOOKER_TYPES)[number];

  /** With `bookerType` `PARTNER`. */
  @Id() partnerId?: string | null;

  /** The discount code that the booking used. The discount becomes line items of type `DISCOUNT`. */
  @Text({ max: 255, pattern: /\S/, example: 'EARLY10' }) discountCode?: string | null;

  /**
   * Whether prices already include `discountCode`. If `true`, the use of the code is counted, nothing is deducted, and
   * the validity of the code is not checked. The default is `true` if any participant has a `price`.
   */
  discountAlreadyApplied?: boolean | null;

  /** Marketing parameters, such as the source of the booking: at most 10,000 characters of JSON. */
  @Json({ max: 10_000, example: { source: 'newsletter', campaign: 'spring' } })
  tracking?: Record<string, unknown>;

  /** The platform that the booking comes from, shown as `metadata.startline.source`. If absent or `null`, the name of the API key; a correction without it changes nothing. */
  @Text({ max: 100, pattern: /\S/, example: 'RACE_ROSTER' }) sourcePlatform?: string | null;

  /**
   * Additional data, returned unchanged with `extendMetadata`: at most 10,000 characters of JSON. The property `startline`
   * is reserved. It belongs to the booking and all its participants.
   */
  @Json({ max: 10_000, example: { shop: 'Covent Garden' } }) metadata?: Record<string, unknown>;
}

export class BookingsImport {
  @Items({ min: 1, max: 10_000 }) bookings: BookingImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
