import { Injectable } from '@nestjs/common';
import {
  previewUndo,
  STAFF_IMPORT_JOB,
  UNDO_REFUSALS,
  type UndoPreview,
  type UndoRefusal,
  undoImport,
} from '#domain/imports';
import type { Actor, Caller } from '#platform/access';
import { Database } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';

/** Undoes imports of bookings. */
@Injectable()
export class ImportUndoService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError 404 if there is no such job, 400 if it can't be undone */
  async preview({ organizationId }: Caller, jobId: string): Promise<UndoPreview> {
    return permitted(
      await this.database
        .of(organizationId)
        .transaction((manager) => previewUndo(manager, { organizationId, jobId })),
    );
  }

  /** @throws ApiError 404 if there is no such job, 400 if it can't be undone or has no booking to cancel */
  async start(
    caller: Caller,
    by: Actor,
    asked: { jobId: string; includeChanged: boolean; requestId: string },
  ): Promise<JsonText> {
    const { organizationId } = caller;
    const request = { ...asked, organizationId, source: 'console' };
    const undo = permitted(
      await this.database.of(organizationId).transaction((manager) => undoImport(manager, request, by)),
    );
    this.producer.enqueue('imports', { organizationId }, asked.requestId);
    return this.reads.one(STAFF_IMPORT_JOB, caller, undo.jobId);
  }
}

function permitted<T extends object>(answer: T | UndoRefusal): T {
  if (typeof answer !== 'string') return answer;
  throw answer === 'MISSING' ? errors.notFound() : errors.invalid(UNDO_REFUSALS[answer]);
}
