import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#platform/access';
import { Database } from '#platform/database';
import { type JsonText, Reads, type Resource } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';
import { previewUndo, UNDO_REFUSALS, type UndoPreview, type UndoRefusal, undoImport } from './undo-import';

/** Undoes imports, for staff and for keys. */
@Injectable()
export class ImportUndoService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /**
   * @param job what the caller may see: jobs of every surface, or of one
   * @throws ApiError 404 if there is no such job, 400 if it can't be undone
   */
  async preview(caller: Caller, job: Resource, jobId: string): Promise<UndoPreview> {
    const { organizationId } = caller;
    await this.reads.one(job, caller, jobId);
    return permitted(
      await this.database
        .of(organizationId)
        .transaction((manager) => previewUndo(manager, { organizationId, jobId })),
    );
  }

  /** @throws ApiError 404 if there is no such job, 400 if it can't be undone or has no record to cancel */
  async start(
    caller: Caller,
    by: Actor,
    job: Resource,
    asked: { jobId: string; includeChanged: boolean; requestId: string },
  ): Promise<JsonText> {
    const { organizationId, kind, keyId } = caller;
    await this.reads.one(job, caller, asked.jobId);
    const isStaff = kind === 'STAFF';
    const request = {
      ...asked,
      organizationId,
      source: isStaff ? 'console' : null,
      sentBy: keyId,
    };
    const undo = permitted(
      await this.database.of(organizationId).transaction((manager) => undoImport(manager, request, by)),
    );
    this.producer.enqueue('imports', { organizationId }, asked.requestId);
    return this.reads.one(job, caller, undo.jobId);
  }
}

function permitted<T extends object>(answer: T | UndoRefusal): T {
  if (typeof answer !== 'string') return answer;
  throw answer === 'MISSING' ? errors.notFound() : errors.invalid(UNDO_REFUSALS[answer]);
}
