import { Injectable } from '@nestjs/common';
import { cancelJob, type ImportSurface, importJob, reopenJob, UNDO_OPEN } from '#domain/imports';
import type { Caller } from '#platform/access';
import { Database } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';

/** Cancels and retries import jobs. Both are idempotent. */
@Injectable()
export class ImportControl {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError 404 if the surface has no such job */
  async cancel(caller: Caller, surface: ImportSurface, jobId: string): Promise<JsonText> {
    const { organizationId } = caller;
    await this.reads.one(importJob(surface), caller, jobId);
    await this.database
      .of(organizationId)
      .transaction((manager) => cancelJob(manager, { organizationId, jobId }));
    return this.reads.one(importJob(surface), caller, jobId);
  }

  /** @throws ApiError 404 if the surface has no such job, 400 while the import is being undone */
  async retry(caller: Caller, surface: ImportSurface, jobId: string, requestId: string): Promise<JsonText> {
    const { organizationId, partner } = caller;
    await this.reads.one(importJob(surface), caller, jobId);
    const reopened = await this.database
      .of(organizationId)
      .transaction((manager) => reopenJob(manager, { organizationId, jobId }, Boolean(partner)));
    if (reopened === 'UNDO_OPEN') throw errors.invalid(UNDO_OPEN);
    if (reopened === 'REOPENED') this.producer.enqueue('imports', { organizationId }, requestId);
    return this.reads.one(importJob(surface), caller, jobId);
  }
}
