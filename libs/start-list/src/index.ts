/**
 * The start list: entries, each of which is an application and, once it is approved, also a participant.
 *
 *   joins: ENTRY_JOINS, select: (values) => `t.id AS "id", ${entryRecord(values)}`      // a Resource of entries
 *   normalizeEmail(' Ada@Example.COM ')                                               // 'ada@example.com'
 *
 *   await dataSource.transaction((manager) => decideApplications(manager, { organizationId, applicationIds, decision: 'APPROVE' }));
 */

export { Application } from './applications.dto';
export { APPLICATION, APPLICATIONS, APPLICATIONS_OF_EVENT } from './applications.resource';
export { Booker, type BookerType } from './booker.dto';
export {
  type Decided,
  type Decision,
  type DecisionOutcome,
  type DecisionRequest,
  decideApplications,
} from './decide-applications';
export { DISCIPLINE_LABELS } from './discipline-labels';
export { BallotRefused, type BallotRequest, type BallotResult, drawBallot } from './draw-ballot';
export { normalizeEmail } from './email';
export * from './entry.dto';
export { ENTRY_FILTERS, emailFilter, textFilter } from './entry.filters';
export { ENTRY_JOINS, hasFeature, metadataOfImport, metadataOfRow, sharesMetadata } from './entry.sql';
export { isCleared, ownMetadata, type StoredMetadata, sharedMetadata } from './entry-metadata';
export * from './entry-parts.dto';
export { type FoundEntry, findApplications, findEntry } from './find-entry';
export * from './imported-answer.dto';
export { IDENTITY_KEYS, problemOfLength, Questions } from './imported-answers';
export { appear, type BibClaim, claimedAt, lockRacesOfBibs, logBibs, takenBibs } from './imported-bibs';
export { Participant } from './participants.dto';
export { PARTICIPANT, PARTICIPANTS, PARTICIPANTS_OF_RACE } from './participants.resource';
export { EXPORT_COLUMNS } from './participants-export.resource';
export {
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
  ParticipantsExport,
} from './participants-export.service';
export { Places } from './places';
export { ORGANIZATIONS_TO_REFRESH, type RefreshStep, refreshEntries } from './refresh-entries';
export { RegistrationStatus, RegistrationStatusRequest } from './registration-status.dto';
export { RegistrationStatusService } from './registration-status.service';
export { teamKey, teamsByName } from './teams';
export { TIMING_PARTICIPANTS } from './timing-participants.resource';
