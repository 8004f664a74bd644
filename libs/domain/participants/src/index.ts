/**
 * Participants and applications: entries of the start list, each of which is an application and, once it is approved, also a
 * participant.
 *
 *   joins: ENTRY_JOINS, select: (values, _, caller) => `t.id AS "id", ${entryRecord(values, caller)}`      // a Resource of entries
 *
 *   const corrections = new EntryCorrections(context, references);                   // of the participants of a chunk's rows
 *   await dataSource.transaction((manager) => decideApplications(manager, { organizationId, applicationIds, decision: 'APPROVE' }));
 *
 * Personal data, redaction and erasure.
 *
 *   await redactParticipant(dataSource, participantId, actor);    // one entry
 *   const erasure = await erasePerson(dataSource, { organizationId, email, dryRun: false }, actor); // everywhere
 *   COLUMNS.teams                                                                     // { personal: ['name'] }
 */

export { Application } from './applications.dto';
export { APPLICATION, APPLICATIONS, APPLICATIONS_OF_EVENT } from './applications.resource';
export { Booker, type BookerType } from './booker.dto';
export { cancelEntries, lockEntriesToCancel } from './cancel-entries';
export { isBookerByTransfer } from './corrections/correct-entry';
export { CorrectionsService } from './corrections/corrections.service';
export { type BookingCorrection, decisionOf, EntryCorrections } from './corrections/entry-corrections';
export { matchEntries } from './corrections/match-entries';
export { ParticipantCorrection } from './corrections/participant-correction.dto';
export {
  BOOKING_OF_ENTRIES,
  bookingsOfEntries,
  type StoredEntry,
  storedEntries,
} from './corrections/stored-entries';
export { type Decided, type Decision, type DecisionOutcome, decideApplications } from './decide-applications';
export { BallotRefused, type BallotRequest, drawBallot } from './draw-ballot';
export { duplicateWarnings, type InRow, PLACED_PARTICIPANT } from './duplicates';
export * from './entry.dto';
export { emailFilter, textFilter } from './entry.filters';
export { answerTo, isVisiblePartner, metadataOfImport, sharesMetadata, throughPartner } from './entry.sql';
export { CLEARED, sharedMetadata } from './entry-metadata';
export * from './entry-parts.dto';
export { columnsWithText } from './erasure/catalog';
export { COLUMNS } from './erasure/columns';
export { erasePerson } from './erasure/erase-person';
export { PERSON_FORMATS, PERSON_TYPES, type PersonFormat, personDocument } from './erasure/person-document';
export { type FiledRows, personFile } from './erasure/person-file';
export {
  addPersonJob,
  exportedRows,
  FORGET_PERSON_JOBS,
  ORGANIZATIONS_WITH_PERSON_JOBS,
  PERSON_WORK,
  personJob,
  workOnPerson,
} from './erasure/person-jobs';
export { PersonRunner } from './erasure/person-runner';
export { inWords, PERSON_LANGUAGES, PERSON_WORDS, type PersonLanguage } from './erasure/person-words';
export {
  PersonErasure,
  PersonErasureRequest,
  PersonExport,
  PersonFile,
  PersonWork,
} from './erasure/persons.dto';
export { PersonsService } from './erasure/persons.service';
export { HAS_FREE_NAME } from './erasure/redact-booking';
export { type Redaction, redactParticipant } from './erasure/redact-participant';
export { findApplications, findEntry } from './find-entry';
export { formUnits } from './form-units';
export * from './imported/assigned-participant.dto';
export { entryBytes, problemOfBytes } from './imported/entry-bytes';
export * from './imported/imported-answer.dto';
export { Questions } from './imported/imported-answers';
export {
  appear,
  type BibClaim,
  Bibs,
  bibTaken,
  claimedAt,
  lockRacesOfBibs,
  logBibs,
  takenBibs,
} from './imported/imported-bibs';
export { ImportedParticipant, StartListParticipant } from './imported/imported-participant.dto';
export { type NewEntry, newEntry } from './imported/new-entry';
export { ParticipantReferences, type Placed, placed } from './imported/participant-references';
export { teamsByName } from './imported/teams';
export { Participant } from './participants.dto';
export { ParticipantsDomainModule } from './participants.module';
export { PARTICIPANT, PARTICIPANTS, PARTICIPANTS_OF_RACE } from './participants.resource';
export { ChosenParticipants, EXPORT_FORMATS, type ExportFormat } from './participants-export.dto';
export { EXPORT_TYPES, ParticipantsExport } from './participants-export.service';
export { RaceBibs } from './race-bibs.dto';
export { RACE_BIBS } from './race-bibs.resource';
export { DECISIONS_PER_STEP, recordDecisions } from './record-decisions';
export { ORGANIZATIONS_TO_REFRESH, refreshEntries } from './refresh-entries';
export { RegistrationStatus, RegistrationStatusRequest } from './registration-status.dto';
export { RegistrationStatusService } from './registration-status.service';
export { RemainingPlaces } from './remaining-places';
export { BallotDraw, BallotDrawRequest, StaffBallot } from './staff-entries/ballots.dto';
export { BALLOT_FOR_STAFF, BALLOTS_FOR_STAFF } from './staff-entries/ballots.resource';
export { BallotsService } from './staff-entries/ballots.service';
export {
  ApplicationDecision,
  ApplicationDecisions,
  ApplicationsByTicket,
  MatchingApplications,
} from './staff-entries/decisions.dto';
export { ApplicationDecisionsService } from './staff-entries/decisions.service';
export { LISTED_PARTICIPANTS } from './staff-entries/listed-participants.resource';
export { RACES_TO_PRINT } from './staff-entries/races-to-print.resource';
export { StaffEntry } from './staff-entries/staff-entries.dto';
export {
  APPLICATIONS_FOR_STAFF,
  ENTRIES_OF_CODE,
  ENTRIES_OF_GROUP,
  STAFF_ENTRY,
  STAFF_ENTRY_COLUMNS,
} from './staff-entries/staff-entries.resource';
export { START_LIST_OF_RACE } from './staff-entries/start-list.resource';
export { StaffParticipant } from './staff-participants.dto';
export { StaffParticipantsService } from './staff-participants.service';
export { TimingParticipant } from './timing-participants.dto';
export { TIMING_PARTICIPANTS } from './timing-participants.resource';
export { alreadyUsed, domainProblem, groupErrors } from './transfer/rules-of-group';
export { TransferService } from './transfer/transfer.service';
