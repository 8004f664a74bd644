import { type APPROVAL_STATUSES } from '#platform/database';
import { type RESOLUTION_TYPES, Text } from '#platform/validation';
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

  /** The ballot group of the application. */
  @Text({ example: 'Draw 1' }) ballotDraw: string | null;

  /** Notes from the dashboard, other than reasons of decisions. */
  @Text({ example: 'Asked for proof of a 50 km finish.' }) notes: string | null;

  /** Only for tickets that ask for a donation: whether one was made. */
  hasDonated?: boolean;
}
