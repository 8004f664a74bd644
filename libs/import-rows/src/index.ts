export { byId, type Organization } from './by-id';
export { compare } from './compare';
export type { ImportContext, ImportHandler } from './import-handler';
export type { ImportMode } from './import-mode';
export type { ImportOutcome } from './import-outcome.dto';
export { insertRows, NONE } from './insert-rows';
export {
  failed,
  type ImportRow,
  Outcomes,
  type Problem,
  problem,
  type RowOutcome,
  succeeded,
} from './outcomes';
export { unchanged } from './unchanged';
