/**
 * The start list: entries, each an application and, once approved, a participant too.
 *
 *   joins: entryJoins, select: (values) => `t.id AS "id", ${entryRecord(values)}`      // a Resource of entries
 *   normalizeEmail(' Ada@Example.COM ')                                               // 'ada@example.com'
 *
 *   await dataSource.transaction((manager) => decideApplication(manager, id, 'APPROVE'));
 *   await dataSource.transaction((manager) => redactParticipant(manager, id));
 */
export { type Decision, type DecisionOutcome, decideApplication } from './decide-application';
export { DISCIPLINE_LABELS } from './discipline-labels';
export { normalizeEmail } from './email';
export * from './entry.dto';
export { ENTRY_FILTERS } from './entry.filters';
export { entryJoins, entryRecord, hasFeature, part } from './entry.sql';
export { type Redaction, redactParticipant } from './redact-participant';
