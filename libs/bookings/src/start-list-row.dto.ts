import { type APPROVAL_STATUSES, type BOOKING_SOURCES, type RESOLUTION_TYPES } from '#libs/database';
import type { PartnerMarketingOptIn } from '#libs/start-list';
import { BookingImportRow, ImportedParticipant } from './booking-row.dto';

/** A result that the participant submitted. */
export class SubmittedResult {
  /**
   * @format uri
   * @maxLength 2000
   * @example https://results.example.com/activities/1815
   */
  url: string;

  /** @format date-time */
  submittedAt: string;
}

/**
 * A participant of a start list file: the properties of a booking import, and those that only the platform's own
 * files have.
 */
export class StartListParticipant extends ImportedParticipant {
  /**
   * The initial state of the application. Values other than `APPROVED` require a ticket whose `approval` is `BALLOT`
   * or `MANUAL`. If the file is loaded again, it decides pending applications and does not change decided ones.
   * @default APPROVED
   */
  approvalStatus?: (typeof APPROVAL_STATUSES)[number] | null;

  /**
   * Shown as `applicationResolutionType`. If absent, the `approval` of the ticket, or `INSTANT` with `source` `API`.
   */
  resolution?: (typeof RESOLUTION_TYPES)[number] | null;

  /**
   * The draw of the application.
   * @maxLength 255
   * @example Draw 1
   */
  ballotDraw?: string | null;

  /**
   * Notes on the application.
   * @maxLength 10000
   * @example Asked for a later start
   */
  applicationNotes?: string | null;

  /**
   * Notes on the participant.
   * @maxItems 50
   * @maxLength 10000
   * @example ["Needs a guide runner"]
   */
  participantNotes?: string[];

  /** @maxItems 50 */
  partnerMarketingOptIns?: PartnerMarketingOptIn[];

  /**
   * Charities that the participant wants to hear from, by the names of your partners of type `CHARITY`.
   * @maxItems 50
   * @maxLength 500
   * @example ["River Trust"]
   */
  charityOptIn?: string[];

  resultSubmission?: SubmittedResult | null;
}

/**
 * A booking of a start list file: the row of a booking import, and properties that only the platform's own files
 * have. If a file is loaded again, absent properties do not change.
 */
export class StartListRow extends BookingImportRow {
  /**
   * @minItems 1
   * @maxItems 50
   */
  declare participants: StartListParticipant[];

  /**
   * Where the booking was made.
   * @default WEBSITE
   */
  source?: (typeof BOOKING_SOURCES)[number] | null;

  /**
   * When the booking and its applications were created. If absent, the time of loading. It never changes.
   * @format date-time
   */
  createdAt?: string | null;

  /**
   * The id of the checkout. Bookings of one checkout share it.
   * @format uuid
   */
  transactionId?: string | null;

  /**
   * The referral code that the booking used: a code of a referral program of the occurrence.
   * @pattern \S
   * @maxLength 255
   * @example ADA-9QX2
   */
  referralCode?: string | null;
}
