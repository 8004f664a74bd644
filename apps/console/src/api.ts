import { type BrowserClient, browserClient, type IMPORT_TABLE } from '../../../libs/client/src/browser';

export {
  type ApiKeyItem,
  type AuditEntryItem,
  type AwaitedSubject,
  asking,
  type BrowserClient,
  type ChangeEventType,
  type FeedMessage,
  type FeedMessageState,
  type FileMappingItem,
  type FoundParticipant,
  IMPORT_TABLE,
  type KeyKind,
  kindOfImport,
  lookUp,
  type OccurrenceOverview,
  type Participant,
  type Permission,
  questionsOf,
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
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../../libs/client/src/browser';
export {
  ADDED,
  type Candidate,
  type DateOrder,
  type DecimalSign,
  ENCODINGS,
  type Encoding,
  type FileMapping,
  flat,
  type ImportKind,
  type Item,
  isBlank,
  type Lookups,
  lineOf,
  MARK,
  type Match,
  type Mistake,
  nameOfField,
  namesIn,
  type Plan,
  planOf,
  type ReadOptions,
  recognise,
  type Sheet,
  type SheetField,
  textOf,
  UnreadableSheet,
  UUID,
  withAnswers,
} from '../../../libs/sheets/src/index';

/** The path of an import. */
export type ImportPath = keyof typeof IMPORT_TABLE;

/** Calls without an organization: signing in. */
export const anonymous: BrowserClient = browserClient();

/**
 * Calls in an organization. The cookie of the session belongs to one organization, too; the API rejects a mismatch.
 */
export const clientOf = (organizationId: string): BrowserClient =>
  browserClient({ 'x-startline-organization': organizationId });
