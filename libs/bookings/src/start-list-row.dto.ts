import type { PartnerMarketingOptIn } from '#libs/start-list';
import { BookingImportRow, ImportedParticipant } from './booking-row.dto';

/** A result that a participant handed in. */
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

/** A participant of a start list file: what a booking import says of one, and what only the platform's own files say. */
export class StartListParticipant extends ImportedParticipant {
  /**
   * Where the application starts. Anything but `APPROVED` is for tickets whose `approval` is `BALLOT` or `MANUAL`. In a
   * file that is loaded again, it decides an application that is pending, and leaves one that was decided alone.
   * @default APPROVED
   */
  approvalStatus?: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | null;

  /** Shown as `applicationResolutionType`; the ticket's `approval` unless given, `INSTANT` with `source` `API`. */
  resolution?: 'INSTANT' | 'BALLOT' | 'MANUAL' | null;

  /**
   * The draw that the application took part in.
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
   * @example ["Needs a guide runner"]
   */
  participantNotes?: string[];

  /** @maxItems 50 */
  partnerMarketingOptIns?: PartnerMarketingOptIn[];

  /**
   * Charities that the participant wants to hear from, by the names of your partners of type `CHARITY`.
   * @maxItems 50
   * @example ["River Trust"]
   */
  charityOptIn?: string[];

  resultSubmission?: SubmittedResult | null;
}

/**
 * One booking of a start list file: the row of a booking import, and what only the platform's own files say. Where a
 * file is loaded again, a property that is absent keeps what is stored.
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
  source?: 'WEBSITE' | 'API' | 'DASHBOARD' | null;

  /**
   * When the booking and its applications were created; the time of loading unless given. It never changes.
   * @format date-time
   */
  createdAt?: string | null;

  /**
   * The checkout. Bookings of one checkout have it in common.
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
