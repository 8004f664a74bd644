import { EntryRecord } from './entry.dto';

/** Only approved entries are participants as well. */
export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN';

/** How it is decided: at once, by drawing lots, or by people. */
export type ApplicationResolutionType = 'INSTANT' | 'BALLOT' | 'MANUAL';

/** One entry on a start list, in whatever state. */
export class Application extends EntryRecord {
  approvalStatus: ApprovalStatus;
  applicationResolutionType: ApplicationResolutionType;

  /**
   * The draw that it takes part in.
   * @example Draw 1
   */
  ballotDraw: string | null;

  /**
   * Notes from the dashboard that are not reasons of a decision.
   * @example Asked for proof of a 50 km finish.
   */
  notes: string | null;

  /** Only for tickets that ask for a donation: whether one was made. */
  hasDonated?: boolean;
}
