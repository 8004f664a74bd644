import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { BibPlan, BibPlanRequest, CHANGE_JOB, CHANGE_ROWS, ImportJob } from '#domain/imports';
import type { Caller } from '#platform/access';
import { Act, type Acting, type ApiRequest, Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { BibPlanService } from './bib-plan.service';
import { ChangeUndoService } from './change-undo.service';

const common = {
  keys: ['ORGANIZER'],
  permission: 'participants:write',
  roles: ['OWNER', 'MANAGER'],
} as const;
const changes = { ...common, group: 'Participants' } as const;
const reading = { ...changes, roles: ['OWNER', 'MANAGER', 'VIEWER'], rate: 'wide' } as const;

@Controller('v0')
export class ParticipantChangesController {
  constructor(
    private readonly plans: BibPlanService,
    private readonly undoing: ChangeUndoService,
    private readonly reads: Reads,
    private readonly lists: Lists,
  ) {}

  @Post('races/:id/bib-plan')
  @Operation({
    ...common,
    name: 'planBibs',
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
    ...reading,
    name: 'getParticipantChange',
    summary: 'Follow a change of several participants',
    description:
      'The job of a bib plan, of a change in the console, or of its undo. Counts change while it runs. `results` is present when it is finished, for up to 1,000 participants.',
    answers: ImportJob,
    large: true,
  })
  job(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<JsonText> {
    return this.reads.one(CHANGE_JOB, caller, jobId);
  }

  @Get('participant-changes/:jobId/rows')
  @Operation({
    ...reading,
    name: 'listParticipantChangeRows',
    summary: 'List the participants of a change',
    description: 'With the outcome of each; of a bib plan in the order of the numbers.',
    answers: CHANGE_ROWS,
  })
  rows(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(CHANGE_ROWS, page);
  }

  @Post('participant-changes/:jobId/undo')
  @Operation({
    ...changes,
    name: 'undoParticipantChange',
    summary: 'Undo a change of several participants',
    description:
      'Starts a job that undoes what a finished job changed, and answers it. A participant with another wave or bib since fails with `CHANGED_SINCE_IMPORT`. While such a job is not finished, a repeated request answers the same job. Cancellations can’t be undone.',
    rate: 'import',
    answers: ImportJob,
    large: true,
  })
  undo(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Req() { id: requestId }: ApiRequest,
    @Param('jobId') jobId: string,
  ): Promise<JsonText> {
    return this.undoing.start(caller, jobId, actor, requestId);
  }
}
