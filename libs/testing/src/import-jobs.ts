import type { DataSource, DeepPartial } from 'typeorm';
import { ImportJob, ImportRow, newId } from '#platform/database';
import { insert } from './catalogue';
import { next } from './organizations';

/** A finished import job with one failed row. */
export async function importJob(
  dataSource: DataSource,
  { externalId = `IMPORTED-${next()}`, ...given }: Partial<ImportJob> & ImportJobNeeds,
): Promise<ImportJob> {
  const now = new Date();
  const job = await insert<ImportJob>(dataSource, ImportJob, {
    mode: 'CREATE',
    status: 'COMPLETED',
    totalRows: 1,
    failedRows: 1,
    startedAt: now,
    finishedAt: now,
    ...given,
  } as DeepPartial<ImportJob>);
  await dataSource.getRepository(ImportRow).insert({
    organizationId: job.organizationId,
    jobId: job.id,
    row: 0,
    externalId,
    payload: { externalId },
    outcome: 'FAILED',
    result: { creditId: newId() },
    errorCode: 'INTERNAL',
    errorMessage: `${externalId} could not be written`,
  });
  return job;
}

interface ImportJobNeeds {
  organizationId: string;
  surface: string;
  externalId?: string;
}
