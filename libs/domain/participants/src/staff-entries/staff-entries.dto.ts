import type { ApplicationResolutionType, ApprovalStatus } from '../applications.dto';

/** An entry as staff see it in lists. */
export class StaffEntry {
  /**
   * The id of the application.
   * @format uuid
   */
  id: string;

  /**
   * `null` while the application is not approved.
   * @format uuid
   */
  participantId: string | null;

  /** @format uuid */
  bookingId: string;

  /** @example Ada */
  firstName: string | null;

  /** @example Lovelace */
  lastName: string | null;

  /** @example ada@example.com */
  email: string | null;

  /**
   * The bib, if there is one.
   * @example 1815
   */
  bibNumber: string | null;

  /** @format uuid */
  eventOccurrenceId: string;

  /**
   * The title of the event.
   * @example City Marathon
   */
  eventTitle: string;

  /**
   * The title of the race.
   * @example Marathon
   */
  raceTitle: string;

  /** @format uuid */
  ticketId: string;

  /**
   * The title of the ticket.
   * @example Ballot entry
   */
  ticketTitle: string;

  /**
   * The time zone of the event.
   * @example Europe/London
   */
  timeZone: string;

  approvalStatus: ApprovalStatus;
  applicationResolutionType: ApplicationResolutionType;

  /**
   * The last draw that the application was in.
   * @example Draw 1
   */
  ballotDraw: string | null;

  /**
   * The reason of the last change of its state.
   * @example Not drawn
   */
  reason: string | null;

  /** Whether it is cancelled. */
  cancelled: boolean;

  /** Whether the person was removed. */
  gdprRedacted: boolean;

  /** @format date-time */
  createdAt: string;
}
