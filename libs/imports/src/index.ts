/**
 * Bulk imports: their surfaces and rows, the check of a batch, and the way in (decisions, section 4).
 *
 *   const accepted = await submission.accept(caller, { surface: 'creditsImport', mode: 'CREATE', operation, body, idempotencyKey });
 *   reads.one(importJob('creditsImport'), caller, jobId);
 *   for (const job of await forgottenJobs(manager, { idleMs: 3_000, most: 100 })) producer.enqueue('imports', job);
 */
export { BatchChecker } from './check/batch-checker';
export { CheckingModule } from './check/checking.module';
export { IMPORT_DEFINITIONS, IMPORTS, type ImportSurface } from './definitions';
export {
  AcceptedImport,
  ImportJob,
  ImportJobSummary,
  ImportRowResult,
} from './import-job.dto';
export { ImportMetrics } from './import-metrics';
export { importOperations } from './import-operations';
export { IMPORT_JOBS, importJob, importRows } from './import-resources';
export { ImportRunner } from './import-runner';
export { ImportSubmission } from './import-submission';
export { ImportSweeper } from './import-sweeper';
export { forgottenJobs, type OpenJob, reopenJob } from './open-jobs';
export { requireFreshShapes, SHAPE_SOURCES, shapeSourcesOf } from './shape-sources';
export { SURFACES } from './surfaces';
