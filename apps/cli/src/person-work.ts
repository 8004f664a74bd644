import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { addPersonJob, personJob, workOnPerson } from '#domain/participants';
import type { Context } from './context';
import { CommandError } from './errors';

const POLL_MS = 200;

/**
 * Adds the job of an export, erasure or redaction, and works on it here, unless a worker was faster: it needs no worker, and others see
 * its progress.
 */
export async function workOn<Result>(
  context: Context,
  dataSource: DataSource,
  organizationId: string,
  requested: Parameters<typeof addPersonJob>[2],
): Promise<{ jobId: string; result: Result }> {
  const secret = await context.erasureSecret();
  const jobId = await dataSource.transaction((manager) =>
    addPersonJob(manager, organizationId, requested, context.actor),
  );
  for (;;) {
    await workOnPerson(dataSource, organizationId, { jobId, secret });
    const { status, result } = await personJob(dataSource, organizationId, jobId);
    if (status === 'COMPLETED') return { jobId, result: result as Result };
    if (status === 'FAILED')
      throw new CommandError(
        'REFUSED',
        'The work failed. See the log of the worker, and repeat the command.',
      );
    await sleep(POLL_MS);
  }
}
