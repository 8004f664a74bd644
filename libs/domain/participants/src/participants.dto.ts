import { type SHIPPING_STATUSES } from '#platform/database';
import { DateTime, Id, Text, Uri, Value } from '#platform/validation';
import { EntryRecord } from './entry.dto';

/** Where the participant registered: on this platform, or on another platform. */
export type RegistrationSource = 'PLATFORM' | 'EXTERNAL';

/** `CANCELLED`: the booking was cancelled, and with it the participant. */
export type ParticipantStatus = 'CONFIRMED' | 'CANCELLED';

export type RaceDayError = 'BIB_NUMBER_TAKEN';

export type ShippingStatus = (typeof SHIPPING_STATUSES)[number];

/** A value that the organizer set for race day. */
export class RaceDayField {
  /** The id of the field, as in the update. */
  @Text({ example: 'kit-collected' }) id: string;

  /** The current value. */
  @Value({ example: 'collected' }) value: unknown;
}

/** The shipment to the participant and its status. */
export class RaceDayShipping {
  /** The newest status that was reported. */
  status: ShippingStatus;

  /** When the shipment was sent. */
  @DateTime() shippedAt: string | null;

  /** The carrier. */
  @Text({ example: 'Royal Mail' }) carrier: string | null;

  /** The tracking number of the carrier. */
  @Text({ example: 'RM123456785GB' }) trackingNumber: string | null;

  /** The page that tracks the parcel. */
  @Uri() trackingUrl: string | null;
}

/** Race-day data. */
export class RaceDayDetails {
  /** Values of race day, by field. */
  customFields: RaceDayField[];
  shipping: RaceDayShipping | null;
}

/** The result that the participant submitted. */
export class ResultSubmission {
  @Uri() url: string;

  /** When the result was submitted. */
  @DateTime() submittedAt: string | null;
}

/** The team of the participant. */
export class ParticipantTeam {
  @Id() id: string;

  /** Its name. */
  @Text({ example: 'Harbour Harriers' }) name: string;

  /** With `features=teams`: the roles of the participant in the team. */
  @Text({ example: ['Captain'] }) roles?: string[];
}

/**
 * An approved entry.
 * @mostBytes 47900
 */
export class Participant extends EntryRecord {
  /** The same as `id`. */
  @Id() participantId: string;

  /** The id of the entry as an application. */
  @Id() applicationId: string;
  status: ParticipantStatus;
  raceDayDetails: RaceDayDetails;

  /**
   * Why the newest bib does not show. `BIB_NUMBER_TAKEN`: another participant of the race claimed it earlier. Empty
   * for a cancelled participant, who holds no bib (see `status`).
   */
  @Value({ example: [] }) raceDayErrors: RaceDayError[];
  resultSubmission: ResultSubmission | null;
  team: ParticipantTeam | null;

  /** Notes from the dashboard. */
  @Text({ example: ['Starts with a guide runner.'] }) notes: string[];

  /** `null` for a partner's key that does not see the booking. */
  bookingSource: RegistrationSource | null;

  /** The names of the charities whose marketing the participant opted in to. */
  @Text({ example: ['River Trust'] }) charityOptIn: string[];

  /** After a transfer, or of a participant whom staff add: the other participants of the same person in the event occurrence. */
  @Id({ example: [] }) duplicateOf?: string[];
}
