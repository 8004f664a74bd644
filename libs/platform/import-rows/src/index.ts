/**
 * The definition of imports, and code that their handlers share. Each domain defines its imports; `#domain/imports` lists
 * all of them. Does not load the database, because the checking thread loads the definitions.
 *
 *   export const creditsImport = defineImport<'creditsImport', CreditImportRow>({ surface: 'creditsImport', … });
 *   export const importCredits: ImportHandler<CreditImportRow> = async (context, rows) => {
 *     const outcomes = new Outcomes(rows);
 *     outcomes.refuse((payload) => …);
 *     await insertRows(context.manager, Credit, made);
 *     return outcomes.all();
 *   };
 */
export { assignedBy } from './assigned-by';
export { byId, type Organization } from './by-id';
export { Carried, type CarriedValues } from './carried';
export { compare } from './compare';
export { type Corrected, cannot, changesOf, corrected, type Given, instantIfGiven } from './correct-columns';
export { defineImport, type ImportDefinition } from './define-import';
export { ImportCorrection } from './import-correction.dto';
export type { ImportContext, ImportHandler } from './import-handler';
export type { ImportMode } from './import-mode';
export type { ImportOutcome } from './import-outcome.dto';
export { brokenZone, instantIn, problemOfLocalTime } from './local-times';
export {
  failed,
  type ImportErrorCode,
  type ImportRow,
  type ImportWarningCode,
  Outcomes,
  type Problem,
  problem,
  type RowOutcome,
  refusedFor,
  succeeded,
  type Warning,
  within,
} from './outcomes';
export {
  type BrokenRule,
  brokenAnswers,
  brokenBirthDate,
  brokenName,
  brokenPrice,
  brokenZero,
  exactlyOne,
  refuseBroken,
  when,
} from './row-rules';
export { ChangedMeanwhile, unchanged } from './unchanged';
