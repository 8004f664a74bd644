import { DateTime, Id, Text } from '#platform/validation';
import type { ApplicationResolutionType, ApprovalStatus } from '../applications.dto';

/** An entry as staff see it in lists. */
export class StaffEntry {
  /** The id of the application. */
  @Id() id: string;

  /** `null` while the application is not approved. */
  @Id() participantId: string | null;
  @Id() bookingId: string;
  @Text({ example: 'Ada' }) firstName: string | null;
  @Text({ example: 'Lovelace' }) lastName: string | null;
  @Text({ example: 'ada@example.com' }) email: string | null;

  /** The bib, if there is one. */
  @Text({ example: '1815' }) bibNumber: string | null;
  @Id() eventOccurrenceId: string;

  /** The title of the event. */
  @Text({ example: 'City Marathon' }) eventTitle: string;

  /** The title of the race. */
  @Text({ example: 'Marathon' }) raceTitle: string;
  @Id() ticketId: string;

  /** The title of the ticket. */
  @Text({ example: 'Ballot entry' }) ticketTitle: string;

  /** The time zone of the event. */
  @Text({ example: 'Europe/London' }) timeZone: string;
  approvalStatus: ApprovalStatus;
  applicationResolutionType: ApplicationResolutionType;

  /** The last draw that the application was in. */
  @Text({ example: 'Draw 1' }) ballotDraw: string | null;

  /** The reason of the last change of its state. */
  @Text({ example: 'Not drawn' }) reason: string | null;

  /** Whether it is cancelled. */
  cancelled: boolean;

  /** Whether the person was removed. */
  gdprRedacted: boolean;
  @DateTime() createdAt: string;
}
