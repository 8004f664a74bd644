import { setTimeout as sleep } from 'node:timers/promises';
import { type EntityManager, Raw } from 'typeorm';
import { ImportJob, ImportRow, isId } from '#platform/database';
import type { Warning } from '#platform/import-rows';
import type { Context } from '../context';
import { CommandError } from '../errors';
import { tableOf } from '../table';

const POLL_MS = 250;
const SHOWN = 20;

/** A job for `--json`. */
export const described = (job: ImportJob) => {
  const { id: jobId, organizationId, surface, dryRun, undoesJobId: undoes, status, totalRows, failure } = job;
  const { succeededRows, alreadyImportedRows, cancelledBeforeRows, failedRows, warnedRows } = job;
  const { createdAt, startedAt, finishedAt } = job;
  return {
    ...{ jobId, organizationId, surface, dryRun, undoes, status },
    ...{ totalRows, processedRows: processedOf(job) },
    ...{ succeededRows, alreadyImportedRows, cancelledBeforeRows, failedRows, warnedRows },
    ...{ createdAt, startedAt, finishedAt, failure },
  };
};
export const processedOf = (job: ImportJob) =>
  job.succeededRows + job.alreadyImportedRows + job.cancelledBeforeRows + job.failedRows;
const noteOf = ({ dryRun, undoesJobId }: ImportJob) => {
  if (dryRun) return ', a dry run: nothing was written';
  return undoesJobId ? `, undoes ${undoesJobId}` : '';
};
const isOver = ({ status }: ImportJob) => status === 'COMPLETED' || status === 'FAILED';

/** @throws CommandError if there is none */
export async function jobById(manager: EntityManager, id: string): Promise<ImportJob> {
  const job = isId(id) ? await manager.findOneBy(ImportJob, { id }) : null;
  if (job) return job;
  throw new CommandError(
    'NOT_FOUND',
    `There is no import job ${id}. To list import jobs, run "import list".`,
  );
}

/** Shows the progress until every row has an outcome. */
async function followed(context: Context, manager: EntityManager, id: string): Promise<ImportJob> {
  let job = await jobById(manager, id);
  if (isOver(job)) return job;
  const progress = context.progress('rows');
  let done = processedOf(job);
  progress.start(job.totalRows);
  progress.advance(done);
  while (!isOver(job)) {
    await sleep(POLL_MS);
    job = await jobById(manager, id);
    progress.advance(processedOf(job) - done);
    done = processedOf(job);
  }
  progress.stop();
  return job;
}

/** Shows a job, its failed rows, and those with warnings. */
export async function answerJob(context: Context, manager: EntityManager, job: ImportJob): Promise<void> {
  const { value, text } = await told(manager, job);
  context.answer(value, text);
}

/**
 * Shows the progress of a job, and its result.
 *
 * @throws CommandError with the result, if the job or some of its rows failed, as `import send` does
 */
export async function answerAtEnd(context: Context, manager: EntityManager, id: string): Promise<void> {
  const job = await followed(context, manager, id);
  const { value, text } = await told(manager, job);
  if (job.status === 'FAILED' || job.failedRows > 0) throw new CommandError('INVALID_ROWS', text, value);
  context.answer(value, text);
}

async function told(manager: EntityManager, job: ImportJob): Promise<{ value: object; text: string }> {
  const { organizationId, id: jobId } = job;
  const rows = await manager.find(ImportRow, {
    where: { organizationId, jobId, outcome: 'FAILED' },
    order: { row: 'ASC' },
    take: 1_000,
  });
  const errors = rows.map(({ row, errorCode: code, errorMessage: message, externalId }) => ({
    row,
    code,
    message,
    externalId,
  }));
  const warned = await manager.find(ImportRow, {
    where: { organizationId, jobId, result: Raw((result) => `${result} ? 'warnings'`) },
    order: { row: 'ASC' },
    take: 1_000,
  });
  const warnings = warned.flatMap(({ row, externalId, result }) =>
    (result as { warnings: Warning[] }).warnings.map(({ code, message }) => ({
      row,
      code,
      message,
      externalId,
    })),
  );
  const lines = [
    `Import job ${jobId} (${job.surface}${noteOf(job)}) is ${job.status}: ${processedOf(job)} of ${job.totalRows} rows done, ` +
      `${job.succeededRows} ${job.mode === 'CHANGE' ? 'changed' : job.undoesJobId ? 'cancelled' : 'imported'}, ${job.alreadyImportedRows} already imported, ` +
      `${job.cancelledBeforeRows} cancelled before, ${job.failedRows} failed, ${job.warnedRows} with warnings.`,
    ...(job.failure ? [`The job stopped: ${job.failure}`] : []),
    ...listed(errors, job.failedRows),
    ...listed(warnings, job.warnedRows),
  ];
  return { value: { ...described(job), errors, warnings }, text: lines.join('\n') };
}

interface Listed {
  row: number;
  code: string | null;
  message: string | null;
  externalId: string | null;
}

/** The first lines of a list, and how many rows more there are. */
function listed(found: Listed[], rows: number): string[] {
  if (found.length === 0) return [];
  const shown = found.slice(0, SHOWN);
  const table = tableOf(
    ['ROW', 'CODE', 'EXTERNAL ID', 'MESSAGE'],
    shown.map(({ row, code, externalId, message }) => [row, code ?? '', externalId ?? '', message ?? '']),
  );
  return ['', table, ...(rows > SHOWN ? [`and ${rows - SHOWN} more`] : [])];
}
