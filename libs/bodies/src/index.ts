/**
 * One reading of a request's body: bounds and exactness first (`Scan`), then the OpenAPI document's schema. The work
 * is proportional to the body's length, whatever its shape. Knows nothing of HTTP or the database, so that it also
 * runs in the thread that checks large bodies.
 *
 *   const { value, problems } = readBody({ schema: 'PartnerCreate' }, bytes, bounds);
 */
export { type Batch, checkRows, inRows, rowsOf } from './batch';
export { importBounds, ordinaryBounds } from './body-bounds';
export { CHECKING_THREAD, type CheckingThread } from './checking-thread';
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
export { MOST_JSON_CHARACTERS } from './schemas';
