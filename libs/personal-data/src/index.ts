/**
 * Personal data, redaction and erasure.
 *
 *   await dataSource.transaction((manager) => redactParticipant(manager, participantId, actor));    // one entry
 *   const erasure = await erasePerson(dataSource, { organizationId, email, dryRun: false }, actor); // everywhere
 *   COLUMNS.teams                                                                     // { personal: ['name'] }
 */
export { columnsWithText } from './catalog';
export { COLUMNS } from './columns';
export { type Erasure, erasePerson } from './erase-person';
export { type Redaction, redactParticipant } from './redact-participant';
