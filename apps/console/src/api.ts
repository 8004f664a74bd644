import {
  browserClient,
  type IMPORT_TABLE,
  type BrowserClient as OfPaths,
} from '../../../libs/client/src/browser';
import type { paths } from './openapi';
import { hearDate } from './server-clock';

export type { Answer, Init, PathOf } from '../../../libs/client/src/browser';
export {
  asking,
  IMPORT_TABLE,
  kindOfImport,
  lookUp,
  NoAnswer,
  questionsOf,
  StartlineError,
} from '../../../libs/client/src/browser';
export { inWords, PERSON_WORDS } from '../../../libs/domain/participants/src/erasure/person-words';
export { IDENTITY_KEYS } from '../../../libs/platform/validation/src/values/catalogue';
export { compared } from '../../../libs/platform/validation/src/values/compared';
export {
  ADDED,
  type Body,
  type Candidate,
  type Choices,
  completed,
  type DecimalSign,
  ENCODINGS,
  type Encoding,
  exactly,
  type FileMapping,
  type FormField,
  FREE,
  flat,
  type ImportKind,
  type Item,
  isBlank,
  kindOf,
  type Lookups,
  lineOf,
  MARK,
  type Match,
  type Mistake,
  nameOfField,
  namesIn,
  namesOf,
  openNotices,
  type Plan,
  planOf,
  put,
  type ReadOptions,
  readValue,
  recognise,
  type Sheet,
  type SheetField,
  targetAt,
  textOf,
  UnreadableSheet,
  UUID,
  withAnswers,
  wordsOfReading,
} from '../../../libs/sheets/src/index';
export type {
  AcceptedImport,
  ApiKeyItem,
  ApplicationDecision,
  ApplicationsOfTicket,
  AssignmentImportRow,
  AttentionItem,
  AuditEntryItem,
  AwaitedSubject,
  BallotDraw,
  BallotTicket,
  BibPlan,
  BibPlanRequest,
  BookingFormField,
  CatalogueRecordState,
  CatalogueWritten,
  ChangeEventType,
  DecisionRefusal,
  DiscountCode,
  DiscountCodeImportRow,
  EventToCome,
  FeedMessage,
  FeedMessageState,
  FieldAnswer,
  FileMappingItem,
  ImportJob,
  KeyKind,
  ListedParticipant,
  ListedPartner,
  MatchingApplications,
  OccurrenceEntries,
  OccurrenceOverview,
  Participant,
  Partner,
  Permission,
  PersonErasure,
  PersonFile,
  PersonWork,
  ProblemCode,
  RaceDayFeed,
  RaceDayLogMessage,
  RaceToPrint,
  RecordsOfFile,
  RequestItem,
  ReservedEntryGroup,
  StaffBallot,
  StaffBallotDraw,
  StaffDiscountCode,
  StaffEntry,
  StaffGroup,
  StaffIdentity,
  StaffImportJob,
  StaffImportJobDetail,
  StaffImportRow,
  StaffMemberItem,
  StaffOccurrence,
  StaffParticipant,
  StaffReferral,
  StaffReferralProgram,
  StaffRole,
  StartListPerson,
  TakenGroup,
  TakenPlaces,
  TakenTicket,
  Ticket,
  UndoGroup,
  UnidentifiedMessage,
  WebhookDelivery,
  WebhookEndpoint,
} from './openapi';

/** The path of an import. */
export type ImportPath = keyof typeof IMPORT_TABLE;

export type BrowserClient = OfPaths<paths>;

/** Calls without an organization: signing in. */
export const anonymous: BrowserClient = browserClient();

/**
 * Calls in an organization. The cookie of the session belongs to one organization, too; the API rejects a mismatch.
 */
export const clientOf = (organizationId: string): BrowserClient =>
  browserClient({ 'x-startline-organization': organizationId }, hearDate);
