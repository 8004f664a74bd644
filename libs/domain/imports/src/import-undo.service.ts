import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#platform/access';
import { Database } from '#platform/database';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';
import type { ImportUndoPreview } from './import-undo.dto';
import { previewUndo, UNDO_REFUSALS, type UndoRefusal, undoImport } from './undo-import';

/** Undoes imports, for staff and for keys. */
@Injectable()
export class ImportUndoService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError 404 if there is no such job, 400 if it can't be undone */
  async preview({ organizationId }: Caller, jobId: string): Promise<ImportUndoPreview> {
    return permitted(
      await this.database
        .of(organizationId)
        .transaction((manager) => previewUndo(manager, { organizationId, jobId })),
    );
  }

  /**
   * @returns the job that undoes it
   * @throws ApiError 404 if there is no such job, 400 if it can't be undone or has no record to cancel
   */
  async start(
    { organizationId, kind, keyId }: Caller,
    by: Actor,
    asked: { jobId: string; includeChanged: boolean; requestId: string },
  ): Promise<string> {
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
    return undo.jobId;
  }
}

function permitted<T extends object>(answer: T | UndoRefusal): T {
  if (typeof answer !== 'string') return answer;
  throw answer === 'MISSING' ? errors.notFound() : errors.invalid(UNDO_REFUSALS[answer]);
}
