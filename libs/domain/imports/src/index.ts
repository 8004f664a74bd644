/**
 * Bulk imports: definitions, validation, submission and processing (docs/domain-rules.md#imports).
 *
 *   const accepted = await submission.accept(caller, { surface: 'creditsImport', mode: 'CREATE', operation, body, idempotencyKey });
 *   reads.one(importJob('creditsImport'), caller, jobId);
 *   await ORGANIZATIONS_WITH_OPEN_JOBS.rows(manager, [lastOfTheCallBefore, 100]);
 */

export { Attempts } from './attempts';
export { BibPlan, BibPlanRequest } from './bib-plan/bib-plan.dto';
export { planBibs } from './bib-plan/plan-bibs';
export { boundChunk } from './bound-chunk';
export { CHANGE_REFUSALS, changeInJob, undoChange } from './change-job';
export { checkBatch } from './check/check-batch';
export { CheckingModule } from './check/checking.module';
export { ChunkSize } from './chunk-size';
export { IMPORT_DEFINITIONS, IMPORTS, type ImportSurface } from './definitions';
export { erasedRows } from './erased-rows';
export { failureOf } from './failures';
export { deleteFileMapping, saveFileMapping } from './file-mappings';
export { FileMappingDetail, FileMappingItem, FileMappingSaved } from './file-mappings.dto';
export { FILE_MAPPING, FILE_MAPPINGS } from './file-mappings.resource';
export { FORGET_DRY_RUNS, FORGET_IMPORT_PAYLOADS } from './forget-imports';
export { ImportAllowance } from './import-allowance.dto';
export { AcceptedImport, ImportJob, ImportJobSummary, ImportRowResult } from './import-job.dto';
export { ImportLocks } from './import-locks';
export { ImportMetrics } from './import-metrics';
export { importOperations } from './import-operations';
export { ImportPlacesOfJob } from './import-places.dto';
export { IMPORT_PLACES } from './import-places.resource';
export { CHANGE_JOB, IMPORT_JOBS, IMPORT_ROWS, importJob, JOB, WAITING_FOR } from './import-resources';
export { ImportRunner } from './import-runner';
export { type ImportOptions, ImportSubmission, storeImport } from './import-submission';
export { ImportUndo, ImportUndoPreview, type UndoReason } from './import-undo.dto';
export { ImportUndoService } from './import-undo.service';
export { ImportsDomainModule } from './imports.module';
export { Isolation } from './isolation';
export { JobRun } from './job-run';
export { ANNOUNCE_WAITING } from './long-waits';
export {
  cancelJob,
  DISCARDED,
  discardPayloads,
  ORGANIZATIONS_WITH_OPEN_JOBS,
  RETRY_REFUSALS,
  type Reopening,
  reopenJob,
} from './open-jobs';
export { requireFreshShapes, SHAPE_SOURCES, shapeSourcesOf } from './shape-sources';
export { StaffImportJobDetail } from './staff-import-jobs.dto';
export { STAFF_IMPORT_JOB, STAFF_IMPORT_JOBS, STAFF_IMPORT_ROWS } from './staff-import-jobs.resource';
export { mostStored } from './stored-bytes';
export { SURFACES } from './surfaces';
export {
  previewUndo,
  UNDO_REFUSALS,
  type UndoRefusal,
  undoImport,
} from './undo-import';
