import { type APPROVAL_STATUSES } from '#platform/database';
import type { Price } from '#platform/queries';
import {
  BIB_NUMBER,
  DateOnly,
  DateTime,
  Email,
  Id,
  Items,
  Name,
  type RESOLUTION_TYPES,
  Text,
  Uri,
  Value,
} from '#platform/validation';
import type { PartnerMarketingOptIn } from '../entry-parts.dto';
import type { ImportedAnswer } from './imported-answer.dto';

export class ImportedTeam {
  /** Entries of the same occurrence with the same name, in any spelling, are one team. */
  @Text({ max: 255, pattern: /\S/, example: 'The Analytical Engines' }) name: string;
  @Text({ max: 100, example: 'CAPTAIN' }) role?: string | null;
}

export class ImportedParticipant {
  /** A ticket of the occurrence: `GET /v0/event-occurrences/{id}/tickets` lists them. */
  @Id() ticketId: string;
  @Name({ max: 255, example: 'Ada' }) firstName?: string | null;
  @Name({ max: 255, example: 'Lovelace' }) lastName?: string | null;

  /** If absent, the booker's email is used. */
  @Email() email?: string | null;

  /** Between 1900-01-01 and today. */
  @DateOnly({ example: '1990-04-12' }) dateOfBirth?: string | null;

  /** A value of the options of the form field `gender`. */
  @Text({ max: 50, example: 'FEMALE' }) gender?: string | null;

  /** Your id of the participant. Imports of add-ons can refer to it. */
  @Text({ max: 255, pattern: /\S/, example: 'runner-4711' }) externalParticipantId?: string | null;

  /** 1 to 20 printable characters, without a space at the beginning or end. */
  @Text({ max: 20, pattern: BIB_NUMBER, example: 'A123' }) bibNumber?: string | null;
  @Id() waveId?: string | null;

  /**
   * Answers to the questions of the ticket's booking forms. They must match the types of the fields. Names, email, date
   * of birth and gender have separate properties.
   */
  @Items({ max: 200 }) fields?: ImportedAnswer[];

  /**
   * The price of the entry in that sale, before codes. If absent, the price of the ticket. If several entries of a
   * booking and team share a ticket (`competitorSize`), set it for the first of them only; for the others the row fails
   * with `INVALID_PRICE`.
   */
  price?: Price;

  /** The price of the ticket in that sale, shown as `originalTicketPrice`. If absent, the price of the ticket. */
  originalPrice?: Price;
  @Text({ max: 255, maxItems: 50, pattern: /\S/, example: ['club'] }) tags?: string[];

  /** The team of the participant, by name. */
  team?: ImportedTeam | null;
}

/** A result that the participant submitted. */
export class SubmittedResult {
  @Uri({ example: 'https://results.example.com/activities/1815' }) url: string;
  @DateTime() submittedAt: string;
}

/**
 * A participant of a start list file: the properties of a booking import, and those that only the platform's own
 * files have.
 */
export class StartListParticipant extends ImportedParticipant {
  /**
   * The initial state of the application. Values other than `APPROVED` require a ticket whose `approval` is `BALLOT`
   * or `MANUAL`. If the file is loaded again, it decides pending applications and does not change decided ones.
   */
  @Value({ default: 'APPROVED' }) approvalStatus?: (typeof APPROVAL_STATUSES)[number] | null;

  /** Shown as `applicationResolutionType`. If absent, the `approval` of the ticket, or `INSTANT` with `source` `API`. */
  resolution?: (typeof RESOLUTION_TYPES)[number] | null;

  /** The draw of the application. */
  @Text({ max: 255, example: 'Draw 1' }) ballotDraw?: string | null;

  /** Notes on the application. */
  @Text({ max: 10_000, example: 'Asked for a later start' }) applicationNotes?: string | null;

  /** Notes on the participant. */
  @Text({ max: 10_000, maxItems: 50, example: ['Needs a guide runner'] }) participantNotes?: string[];

  /** The marketing of partners that the participant opted in to. */
  @Items({ max: 50 }) partnerMarketingOptIns?: PartnerMarketingOptIn[];

  /** Charities that the participant wants to hear from, by the names of your partners of type `CHARITY`. */
  @Text({ max: 500, maxItems: 50, example: ['River Trust'] }) charityOptIn?: string[];
  resultSubmission?: SubmittedResult | null;
}
