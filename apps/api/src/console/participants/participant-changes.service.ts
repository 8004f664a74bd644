import { Injectable } from '@nestjs/common';
import type { ParticipantsChange } from '#domain/bookings';
import { CHANGE_REFUSALS, changeInJob, STAFF_IMPORT_JOB } from '#domain/imports';
import type { Actor, Caller } from '#platform/access';
import { Database } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors, problem } from '#platform/validation';

/** Changes of several participants, as jobs. */
@Injectable()
export class ParticipantChangesService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError 400 if the body contradicts itself, or nobody or too many match */
  async start(caller: Caller, given: ParticipantsChange, by: Actor, requestId: string): Promise<JsonText> {
    const { change, participantIds, matching } = given;
    const named = change.type === 'TAG' || change.type === 'UNTAG';
    if (named !== (change.tag !== undefined))
      throw invalid('change.tag', named ? 'is required' : 'belongs to TAG and UNTAG');
    if ((change.type === 'WAVE') !== (change.waveId !== undefined))
      throw invalid('change.waveId', change.type === 'WAVE' ? 'is required' : 'belongs to WAVE');
    if ((participantIds === undefined) === (matching === undefined))
      throw invalid('', 'must have participantIds or matching');
    const { organizationId } = caller;
    const made = await this.database
      .of(organizationId)
      .transaction((manager) => changeInJob(manager, { ...given, organizationId, requestId }, by));
    if (typeof made === 'string') throw errors.invalid(CHANGE_REFUSALS[made]);
    this.producer.enqueue('imports', { organizationId }, requestId);
    return this.reads.one(STAFF_IMPORT_JOB, caller, made.jobId);
  }
}

const invalid = (path: string, rule: string) =>
  errors.invalidBody([problem(path, rule === 'is required' ? 'REQUIRED' : 'INVALID_COMBINATION', rule)]);
