import { Injectable } from '@nestjs/common';
import { CHANGE_JOB, CHANGE_REFUSALS, undoChange } from '#domain/imports';
import type { Actor, Caller } from '#platform/access';
import { Database } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';

/** Undoes changes of several participants, as jobs. */
@Injectable()
export class ChangeUndoService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError 404 if there is no such job; 400 if it has nothing to undo */
  async start(caller: Caller, jobId: string, by: Actor, requestId: string): Promise<JsonText> {
    const { organizationId } = caller;
    const made = await this.database
      .of(organizationId)
      .transaction((manager) => undoChange(manager, { organizationId, jobId, requestId }, by));
    if (made === 'MISSING') throw errors.notFound();
    if (typeof made === 'string') throw errors.invalid(CHANGE_REFUSALS[made]);
    this.producer.enqueue('imports', { organizationId }, requestId);
    return this.reads.one(CHANGE_JOB, caller, made.jobId);
  }
}
