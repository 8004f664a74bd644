export { type ImportMode } from './import-mode';
export { type ImportContext, type ImportHandler } from './import-handler';
export { insertRows, NONE } from './insert-rows';
export { Outcomes, type Problem, problem, succeeded, failed, type ImportRow, type RowOutcome } from './outcomes';
export { unchanged } from './unchanged';
export { compare } from './compare';
export { byId, type Organization } from './by-id';
export { type ImportOutcome } from './import-outcome.dto';
