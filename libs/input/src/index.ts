/**
 * Parsing of ids, dates, times and URLs, and suggestions for misspelled names, in time that grows with the length of the text.
 * Does not depend on HTTP or the database, because the checking thread uses it.
 *
 *   isId('01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b')       // a version 7 UUID in lower case
 *   instantOf('2026-05-04T09:30:00+02:00')             // '2026-05-04T07:30:00.000000Z'
 *   nearestOf('fistName', ['firstName', 'lastName'])   // 'firstName'
 */
export { BIB_NUMBER, BIB_NUMBER_RULE, type BibNumber } from './bib-number';
export { EMAIL, isEmail } from './emails';
export { isId, newId } from './ids';
export { nearestOf } from './nearest';
export { BIRTH_DATE_RULE, instantOf, isBirthDate, isPlainDate } from './times';
export { isUrl } from './urls';
