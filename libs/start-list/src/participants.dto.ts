import { EntryRecord } from './entry.dto';

/** Where the participant registered: with us, or on another platform that it was imported from. */
export type RegistrationSource = 'PLATFORM' | 'EXTERNAL';

/** `CANCELLED`: the booking was cancelled, and with it the participant. */
export type ParticipantStatus = 'CONFIRMED' | 'CANCELLED';

export type RaceDayError = 'BIB_NUMBER_TAKEN';

export type ShippingStatus = 'SHIPPED' | 'DELIVERED' | 'RETURNED';

/** A value that the organizer set for race day. */
export class RaceDayField {
  /**
   * The field's id, as the update gave it.
   * @example kit-collected
   */
  id: string;

  /**
   * What was set last.
   * @example collected
   */
  value: unknown;
}

/** What was sent to the participant, and how far it got. */
export class RaceDayShipping {
  /** The newest that was reported. */
  status: ShippingStatus;

  /**
   * When it was sent.
   * @format date-time
   */
  shippedAt: string | null;

  /**
   * Who carries it.
   * @example Royal Mail
   */
  carrier: string | null;

  /**
   * The carrier's number.
   * @example RM123456785GB
   */
  trackingNumber: string | null;

  /** @format uri */
  trackingUrl: string | null;
}

/** What race day needs to know. */
export class RaceDayDetails {
  customFields: RaceDayField[];

  shipping: RaceDayShipping | null;
}

/** The participant's own result, as handed in. */
export class ResultSubmission {
  /** @format uri */
  url: string;

  /**
   * When it was handed in.
   * @format date-time
   */
  submittedAt: string | null;
}

/** The team that the participant starts in. */
export class ParticipantTeam {
  /** @format uuid */
  id: string;

  /**
   * Its name.
   * @example Harbour Harriers
   */
  name: string;

  /**
   * With `features=teams`: what the participant is in it.
   * @example ["Captain"]
   */
  roles?: string[];
}

/** An approved entry: someone who is on the start list. */
export class Participant extends EntryRecord {
  /**
   * The same as `id`.
   * @format uuid
   */
  participantId: string;

  /**
   * The same entry as an application.
   * @format uuid
   */
  applicationId: string;

  status: ParticipantStatus;

  raceDayDetails: RaceDayDetails;

  /**
   * Why the newest bib that was set does not show. `BIB_NUMBER_TAKEN`: another participant of the race claimed it earlier.
   * Empty where the participant is cancelled: it holds no bib, as `status` says.
   * @example []
   */
  raceDayErrors: RaceDayError[];

  resultSubmission: ResultSubmission | null;

  team: ParticipantTeam | null;

  /**
   * Notes from the dashboard.
   * @example ["Starts with a guide runner."]
   */
  notes: string[];

  bookingSource: RegistrationSource;

  /**
   * The charities that the participant agreed to hear from, by name.
   * @example ["River Trust"]
   */
  charityOptIn: string[];
}
