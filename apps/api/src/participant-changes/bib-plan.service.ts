import { Injectable } from '@nestjs/common';
import { type BibPlan, type BibPlanRequest, planBibs } from '#domain/imports';
import type { Actor, Caller } from '#platform/access';
import { Database } from '#platform/database';
import { JobProducer } from '#platform/queues';

/** Plans the bibs of a race, and starts the job that gives them. */
@Injectable()
export class BibPlanService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError as `planBibs` */
  async plan(
    { organizationId }: Caller,
    raceId: string,
    given: BibPlanRequest,
    by: Actor,
    requestId: string,
  ): Promise<BibPlan> {
    const request = { ...given, organizationId, raceId, requestId };
    const plan = await this.database
      .of(organizationId)
      .transaction((manager) => planBibs(manager, request, by));
    if (plan.jobId) this.producer.enqueue('imports', { organizationId }, requestId);
    return plan;
  }

  /** The plan as it would be now, with the job that an earlier request has started. */
  async started(
    { organizationId, keyId }: Caller,
    raceId: string,
    given: BibPlanRequest,
    jobId: string,
  ): Promise<BibPlan> {
    const request = { ...given, dryRun: true, organizationId, raceId };
    const plan = await this.database
      .of(organizationId)
      .transaction((manager) => planBibs(manager, request, { type: 'KEY', id: keyId, origin: null }));
    return { ...plan, dryRun: false, jobId, jobUrl: `/v0/participant-changes/${jobId}` };
  }
}
