/**
 * Parses and validates request bodies: limits and exact numbers first (`Scan`), then the schema of the OpenAPI
 * document. The work is proportional to the length of the body. Does not depend on HTTP or the database, because it
 * also runs in the thread that checks large bodies.
 *
 *   const { value, problems } = readBody({ schema: 'PartnerCreate' }, bytes, bounds);
 *
 * Parsing of ids, dates, times and URLs, and suggestions for misspelled names, in time that grows with the length of the text.
 * Does not depend on HTTP or the database, because the checking thread uses it.
 *
 *   isId('01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b')       // a version 7 UUID in lower case
 *   instantOf('2026-05-04T09:30:00+02:00')             // '2026-05-04T07:30:00.000000Z'
 *   nearestOf('fistName', ['firstName', 'lastName'])   // 'firstName'
 *   normalizeEmail(' Ada@Example.COM ')                // 'ada@example.com'
 *
 * Errors with an HTTP status, by name. Does not depend on an HTTP server: the http lib renders them.
 *
 *   throw errors.notFound();
 *   export const errors = defineErrors({ unknownPartner: (id: string) => [404, `There is no partner ${id}.`] });
 */

export { ApiError, brokenRule, defineErrors, errors } from './api-error';
export { type Batch, checkRows, type InvalidRow, inRows, invalidRows, rowsOf } from './batch';
export { CATALOGUE_BOUNDS, IMPORT_BOUNDS, ORDINARY_BOUNDS, SMALL_ENOUGH } from './body-bounds';
export { CHECKING_THREAD, type CheckingThread } from './checking-thread';
export { isLongerJson, jsonBytes } from './json-length';
export { MOST_JSON_BYTES } from './most-json';
export {
  few,
  MOST_PROBLEMS,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  pathOf,
  problem,
  RULES,
  shortened,
} from './problem';
export {
  DateOnly,
  DateTime,
  Decimal,
  Email,
  Id,
  Int,
  Items,
  Json,
  keywordsOf,
  LocalTime,
  Name,
  Text,
  Uri,
  Value,
} from './properties';
export { type OrdinaryBody, readBody } from './read-body';
export { type Rows, readBatch, readJson } from './read-json';
export type { BodyBounds } from './scan';
export { schemas } from './schemas';
export { boundFormats, requireBounded, unboundedIn } from './unbounded';
export { BIB_NUMBER, type BibColumns, bibColumns } from './values/bib-number';
export * from './values/catalogue';
export {
  compared,
  comparedName,
  fullName,
  LETTERS,
  ORDINARY,
  smallLetter,
  trimmed,
  UNSEEN,
  WHITE_SPACE,
  WIDE,
} from './values/compared';
export { isEmail, normalizeEmail } from './values/emails';
export { erasedId, mayBeErased } from './values/erased-id';
export { isId, NIL_ID, newId } from './values/ids';
export { type LocalReading, mustBeCertain, readLocal } from './values/local-times';
export { MAXIMA, MOST_BYTES } from './values/maxima';
export { nearestOf } from './values/nearest';
export { networkOf } from './values/network-of';
export { AS_TWO, searchedWords, TYPED } from './values/searched';
export { BIRTH_DATE_RULE, hasZone, instantOf, isBirthDate, isPlainDate } from './values/times';
export { trimProperties } from './values/trim-properties';
export { isUrl } from './values/urls';
