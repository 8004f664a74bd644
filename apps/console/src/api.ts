import { type BrowserClient, browserClient } from '../../../libs/client/src/browser';

export {
  type ApiKeyItem,
  type AuditEntryItem,
  type AwaitedSubject,
  type BrowserClient,
  type ChangeEventType,
  type FeedMessage,
  type FeedMessageState,
  type FoundParticipant,
  fillBooker,
  IMPORT_SHAPES,
  IMPORT_TABLE,
  type ImportField,
  type ImportShape,
  type KeyKind,
  type Mapping,
  matchColumns,
  type OccurrenceOverview,
  type Participant,
  parsed,
  put,
  type RaceDayFeed,
  type RaceDayLogMessage,
  type RequestItem,
  type StaffDiscountCode,
  type StaffIdentity,
  type StaffImportJob,
  type StaffImportJobDetail,
  type StaffImportRow,
  type StaffMemberItem,
  type StaffParticipant,
  type StaffReferralProgram,
  type StaffRole,
  StartlineError,
  type TakenPlaces,
  type TakenTicket,
  type UndoGroup,
  type UnidentifiedMessage,
  UUID,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../../libs/client/src/browser';

/** Calls without an organization: signing in. */
export const anonymous: BrowserClient = browserClient();

/**
 * Calls in an organization. The cookie of the session belongs to one organization, too; the API rejects a mismatch.
 */
export const clientOf = (organizationId: string): BrowserClient =>
  browserClient({ 'x-startline-organization': organizationId });
