import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { BibPlan, BibPlanRequest, CHANGE_JOB, ImportJob } from '#domain/imports';
import type { Caller } from '#platform/access';
import { Act, type Acting, type ApiRequest, Call, madeBy, Operation, recordsOf } from '#platform/http';
import { type JsonText, Reads } from '#platform/queries';
import { BibPlanService } from './bib-plan.service';

const common = {
  keys: ['ORGANIZER'],
  permission: 'participants:write',
  roles: ['OWNER', 'MANAGER'],
} as const;

@Controller('v0')
export class ParticipantChangesController {
  constructor(
    private readonly plans: BibPlanService,
    private readonly reads: Reads,
  ) {}

  @Post('races/:id/bib-plan')
  @Operation({
    ...common,
    name: 'planBibs',
    writes: recordsOf('assigned'),
    idempotent: {
      made: madeBy('jobId'),
      answer: ({ caller, id, path, body, get }) =>
        get(BibPlanService).started(caller, path.id as string, body as BibPlanRequest, id),
    },
    group: 'Races',
    summary: 'Give bibs to the participants of a race',
    description:
      'Gives each participant without a bib the next free number of the first range that it matches, in the order of the range, and answers what it does. With `dryRun`, ' +
      'nothing else happens. Otherwise a job gives the bibs as messages with the current time, so that a newer message replaces them: follow it at `jobUrl`. ' +
      'Who has got a bib meanwhile keeps it (`UNCHANGED`), and a number that somebody else has got fails with `BIB_NUMBER_TAKEN`. Participants with a bib never change, so a repeated ' +
      'plan gives bibs to newcomers, from the numbers that are left. At most 50,000 bibs; while a job gives or takes back bibs of the race, another plan returns `400`.',
    rate: 'import',
    body: BibPlanRequest,
    answers: BibPlan,
    large: true,
  })
  plan(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Req() { id: requestId }: ApiRequest,
    @Param('id') raceId: string,
    @Body() body: object,
  ): Promise<BibPlan> {
    return this.plans.plan(caller, raceId, body as BibPlanRequest, actor, requestId);
  }

  @Get('participant-changes/:jobId')
  @Operation({
    ...common,
    group: 'Participants',
    roles: ['OWNER', 'MANAGER', 'VIEWER'],
    rate: 'wide',
    name: 'getParticipantChange',
    readOnly: false,
    summary: 'Follow a change of several participants',
    description:
      'The job of a bib plan, of a change in the console, or of its undo. Counts change while it runs. `results` is present when it is finished, for up to 1,000 participants.',
    answers: ImportJob,
    large: true,
  })
  job(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<JsonText> {
    return this.reads.one(CHANGE_JOB, caller, jobId);
  }
}
