/**
 * Bulk imports: definitions, validation, submission and processing (docs/interface.md#imports).
 *
 *   const accepted = await submission.accept(caller, { surface: 'creditsImport', mode: 'CREATE', operation, body, idempotencyKey });
 *   reads.one(importJob('creditsImport'), caller, jobId);
 *   await organizationsWithOpenJobs(manager, { after: lastOfTheCallBefore, most: 100 });
 */

export { Attempts } from './attempts';
export { BatchChecker } from './check/batch-checker';
export { checkBatch } from './check/check-batch';
export { CheckingModule } from './check/checking.module';
export { ChunkSize } from './chunk-size';
export { IMPORT_DEFINITIONS, IMPORTS, type ImportSurface } from './definitions';
export { failureOf } from './failures';
export { FORGET_IMPORT_PAYLOADS } from './forget-payloads';
export {
  AcceptedImport,
  ImportJob,
  ImportJobSummary,
  ImportRowResult,
} from './import-job.dto';
export { ImportLocks } from './import-locks';
export { ImportMetrics } from './import-metrics';
export { importOperations } from './import-operations';
export {
  IMPORT_JOB_SUMMARY,
  IMPORT_JOBS,
  importJob,
  importRowJson,
  importRows,
} from './import-resources';
export { ImportRunner } from './import-runner';
export { type ImportOptions, ImportSubmission } from './import-submission';
export { ImportSweeper } from './import-sweeper';
export { Isolation } from './isolation';
export { JobRun } from './job-run';
export {
  cancelJob,
  DISCARDED,
  discardPayloads,
  type OpenJob,
  organizationsWithOpenJobs,
  type Reopening,
  reopenJob,
  UNDO_OPEN,
} from './open-jobs';
export { requireFreshShapes, SHAPE_SOURCES, shapeSourcesOf } from './shape-sources';
export { SURFACES } from './surfaces';
export { trimRow } from './trim-row';
export {
  previewUndo,
  UNDO_REFUSALS,
  type UndoGroup,
  type UndoPreview,
  type UndoReason,
  type UndoRefusal,
  undoImport,
} from './undo-import';
