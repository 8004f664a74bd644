import { type APPROVAL_STATUSES, type RESOLUTION_TYPES } from '#platform/database';
import { EntryRecord } from './entry.dto';

/** Only approved entries are participants as well. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** How an application is decided: automatically, by a ballot, or manually. */
export type ApplicationResolutionType = (typeof RESOLUTION_TYPES)[number];

/**
 * An entry on a start list, in any state.
 * @mostBytes 47900
 */
export class Application extends EntryRecord {
  approvalStatus: ApprovalStatus;
  applicationResolutionType: ApplicationResolutionType;

  /**
   * The ballot group of the application.
   * @example Draw 1
   */
  ballotDraw: string | null;

  /**
   * Notes from the dashboard, other than reasons of decisions.
   * @example Asked for proof of a 50 km finish.
   */
  notes: string | null;

  /** Only for tickets that ask for a donation: whether one was made. */
  hasDonated?: boolean;
}
