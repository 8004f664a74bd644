import { Id, Int, Items, Text } from '#platform/validation';
import type { ApplicationResolutionType, ApprovalStatus } from '../applications.dto';

const DECISIONS = ['APPROVE', 'REJECT', 'WITHDRAW', 'NOT_DUPLICATE'] as const;

/** Which pending applications are decided, whose bookings are not cancelled. Without a property, all of the organization. */
export class MatchingApplications {
  /** Only those for this event occurrence. */
  @Id() eventOccurrenceId?: string;

  /** Only those for this ticket. */
  @Id() ticketId?: string;

  /** Only those that are decided in this way. */
  applicationResolutionType?: ApplicationResolutionType;

  /** Only those that the list finds with this search. */
  @Text({ max: 100, example: 'lovelace' }) search?: string;

  /** Only those that were made until this one. */
  @Id() until?: string;
}

/** The pending applications for a ticket. */
export class ApplicationsOfTicket {
  /** The ticket. */
  @Id() ticketId: string;

  /** The title of its event. */
  @Text({ example: 'Harbour Run 2027' }) eventTitle: string;

  /** The title of its race. */
  @Text({ example: '10K' }) raceTitle: string;

  /** Its title. */
  @Text({ example: 'Ballot entry' }) ticketTitle: string;

  /** Whether some are decided by a ballot. */
  isBallot: boolean;

  /** Their number. */
  @Int({ example: 45 }) applications: number;
}

/** The pending applications that match, by ticket. */
export class ApplicationsByTicket {
  /** Those with the most first. */
  @Items({ max: 1_000 }) tickets: ApplicationsOfTicket[];

  /** The newest of them: `matching.until` of a decision about no others. */
  @Id() until: string | null;
}

/** A decision about some applications (`applicationIds`), or about all that match (`matching`), the first that applied first. */
export class ApplicationDecision {
  /** What becomes of them. With `NOT_DUPLICATE` they stay pending, and the next draw does not set them aside as duplicates. */
  decision: (typeof DECISIONS)[number];

  /** Shown in `statusDetails` of the applications. */
  @Text({ max: 500, example: 'The race is full.' }) reason?: string | null;

  /** In the order in which they get the remaining places. */
  @Id({ minItems: 1, maxItems: 200 }) applicationIds?: string[];

  /** A request decides 200 of them. Repeat it with `after` until the response has no `next`. */
  matching?: MatchingApplications;

  /** With `matching`: only applications after this one, `next` of the previous response. */
  @Id() after?: string;
}

/** An application that was decided. */
export class DecidedApplication {
  @Id() applicationId: string;
  @Id() participantId: string;
  approvalStatus: ApprovalStatus;
}

/**
 * `NOT_FOUND`: the organization has no such application. `NOT_PENDING`: it was decided before. `CANCELLED`: its booking is cancelled.
 * `NO_CAPACITY_REMAINING`: its ticket, race or wave has no place left.
 */
export type DecisionRefusal = 'NOT_FOUND' | 'NOT_PENDING' | 'CANCELLED' | 'NO_CAPACITY_REMAINING';

/** An application that was not decided. */
export class UndecidedApplication {
  @Id() applicationId: string;
  code: DecisionRefusal;

  /** Its state; `null` if there is no such application. */
  approvalStatus: ApprovalStatus | null;
}

/** What became of the applications. */
export class ApplicationDecisions {
  /** Those that this request decided; at most 200. */
  decided: DecidedApplication[];

  /** Those that it did not decide; at most 200. */
  refused: UndecidedApplication[];

  /** `after` of the next request; `null` after the last applications that match. */
  @Id() next: string | null;
}
