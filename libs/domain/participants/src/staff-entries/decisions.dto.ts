import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { RESOLUTION_TYPES } from '#platform/database';
import { IsOneOf } from '#platform/queries';
import type { ApplicationResolutionType, ApprovalStatus } from '../applications.dto';

const DECISIONS = ['APPROVE', 'REJECT', 'WITHDRAW'] as const;

/** Which pending applications are decided. Without a property, all of the organization. */
export class MatchingApplications {
  /**
   * Only those for this event occurrence.
   * @format uuid
   */
  @IsOptional()
  @IsUUID()
  eventOccurrenceId?: string;

  /**
   * Only those for this ticket.
   * @format uuid
   */
  @IsOptional()
  @IsUUID()
  ticketId?: string;

  /** Only those that are decided in this way. */
  @IsOptional()
  @IsIn(RESOLUTION_TYPES)
  applicationResolutionType?: ApplicationResolutionType;

  /**
   * Only those that the list finds with this search.
   * @maxLength 100
   * @example lovelace
   */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  search?: string;
}

/** A decision about some applications (`applicationIds`), or about all that match (`matching`), the first that applied first. */
export class ApplicationDecision {
  @IsIn(DECISIONS)
  decision: (typeof DECISIONS)[number];

  /**
   * Shown in `statusDetails` of the applications.
   * @maxLength 500
   * @example The race is full.
   */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  reason?: string | null;

  /**
   * In the order in which they get the remaining places.
   * @format uuid
   * @maxItems 200
   */
  @ValidateIf(({ matching }) => matching === undefined)
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(200)
  @IsString({ each: true })
  applicationIds?: string[];

  /** A request decides 200 of them. Repeat it with `after` until the response has no `next`. */
  @ValidateIf(({ matching }) => matching !== undefined)
  @IsOneOf(() => MatchingApplications)
  matching?: MatchingApplications;

  /**
   * With `matching`: only applications after this one, `next` of the previous response.
   * @format uuid
   */
  @IsOptional()
  @IsUUID()
  after?: string;
}

/** An application that was decided. */
export class DecidedApplication {
  /** @format uuid */
  applicationId: string;

  /** @format uuid */
  participantId: string;

  approvalStatus: ApprovalStatus;
}

/**
 * `NOT_FOUND`: the organization has no such application. `NOT_PENDING`: it was decided before. `CANCELLED`: its booking is cancelled.
 * `NO_CAPACITY_REMAINING`: its ticket, race or wave has no place left.
 */
export type DecisionRefusal = 'NOT_FOUND' | 'NOT_PENDING' | 'CANCELLED' | 'NO_CAPACITY_REMAINING';

/** An application that was not decided. */
export class UndecidedApplication {
  /** @format uuid */
  applicationId: string;

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

  /**
   * `after` of the next request; `null` after the last applications that match.
   * @format uuid
   */
  next: string | null;
}
