/**
 * Parses and validates request bodies: limits and exact numbers first (`Scan`), then the schema of the OpenAPI
 * document. The work is proportional to the length of the body. Does not depend on HTTP or the database, because it
 * also runs in the thread that checks large bodies.
 *
 *   const { value, problems } = readBody({ schema: 'PartnerCreate' }, bytes, bounds);
 */
export { type Batch, checkRows, inRows, rowsOf } from './batch';
export { importBounds, ordinaryBounds } from './body-bounds';
export { CHECKING_THREAD, type CheckingThread } from './checking-thread';
export { IMPORT_INTAKE, type ImportIntake } from './import-intake';
export { isLongerJson } from './json-length';
export { MOST_JSON_CHARACTERS } from './most-json';
export {
  few,
  MOST_PROBLEMS,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  pathOf,
  problem,
} from './problem';
export { type OrdinaryBody, readBody } from './read-body';
export { type ReadJson, readJson } from './read-json';
export type { BodyBounds } from './scan';
export { schemas } from './schemas';
export { boundFormats, unboundedIn } from './unbounded';
