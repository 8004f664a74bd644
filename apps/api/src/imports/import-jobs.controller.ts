import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import {
  IMPORT_JOBS,
  IMPORT_ROWS,
  ImportAllowance,
  ImportJob,
  ImportUndo,
  ImportUndoPreview,
  JOB,
  RETRY_REFUSALS,
  type Reopening,
} from '#domain/imports';
import type { Caller } from '#platform/access';
import {
  Act,
  type Acting,
  type ApiRequest,
  Call,
  DailyBytes,
  madeBy,
  NEVER_REFUSED,
  Operation,
  Page,
  RECORD,
  repeatedAs,
} from '#platform/http';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';
import { operationsOf } from '../operations-of';
import { CONTROLLING, FOLLOWING, ImportControl, UNDOING } from './import-control.service';

const READ = operationsOf('Imports', 'imports:read');

const common = { group: 'Imports', keys: ['ORGANIZER'] } as const;
const following = { ...common, permission: FOLLOWING, forPartners: true } as const;
const changing = { ...following, rate: 'import', answers: ImportJob, large: true } as const;

@Controller('v0/import-jobs')
export class ImportJobsController {
  constructor(
    private readonly lists: Lists,
    private readonly dailyBytes: DailyBytes,
    private readonly control: ImportControl,
  ) {}

  @Get()
  @Operation({
    ...READ,
    name: 'listImportJobs',
    summary: "List your organization's import jobs",
    description: "Of all surfaces, newest first. A partner's key lists those of the partner's keys.",
    forPartners: true,
    answers: IMPORT_JOBS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(IMPORT_JOBS, page);
  }

  @Get('allowance')
  @Operation({
    ...READ,
    name: 'getImportAllowance',
    summary: 'Read how many bytes of imports your organization sent today',
    description: 'The allowance counts the imports of all keys and of the console.',
    answers: ImportAllowance,
  })
  async allowance(@Call() caller: Caller): Promise<ImportAllowance> {
    const { resetMs, ...bytes } = await this.dailyBytes.usedOf('imports', caller);
    return { ...bytes, resetsAt: new Date(Date.now() + resetMs).toISOString().replace('Z', '000Z') };
  }

  @Get(':jobId/rows')
  @Operation({
    ...following,
    name: 'listImportRows',
    summary: 'List the rows of an import job',
    description:
      'With their outcomes, in the order of the request; of a change of several participants, those of the participants. A job of an import that the key may not use is `404`, here and below.',
    rate: 'wide',
    answers: IMPORT_ROWS,
  })
  async rows(
    @Call() caller: Caller,
    @Param('jobId') jobId: string,
    @Page() page: ListRequest,
  ): Promise<JsonText> {
    await this.control.find(caller, jobId);
    return this.lists.page(IMPORT_ROWS, page);
  }

  @Post(':jobId/cancel')
  @Operation({
    ...changing,
    permission: CONTROLLING,
    name: 'cancelImport',
    writes: NEVER_REFUSED,
    idempotent: repeatedAs(JOB),
    summary: 'Cancel an import job',
    description:
      'The job becomes `FAILED`, and `failure` says that it was cancelled. Rows with an outcome do not change; the other rows are not written and are `NOT_REACHED`. A finished job does not change.',
  })
  cancel(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<JsonText> {
    return this.control.cancel(caller, jobId);
  }

  @Post(':jobId/retry')
  @Operation({
    ...changing,
    permission: CONTROLLING,
    name: 'retryImport',
    writes: RECORD,
    idempotent: repeatedAs(JOB, (done) => (RETRY_REFUSALS[done as Reopening] ? undefined : true)),
    summary: 'Retry the failed rows of an import job',
    description:
      'Processes the failed rows of a finished job again, and the rows that it did not reach. Other rows keep their outcome. The job becomes `QUEUED` again. A job that is not finished does not change.',
  })
  retry(
    @Call() caller: Caller,
    @Param('jobId') jobId: string,
    @Req() { id: requestId }: ApiRequest,
  ): Promise<JsonText> {
    return this.control.retry(caller, jobId, requestId);
  }

  @Post(':jobId/apply')
  @Operation({
    ...changing,
    name: 'applyDryRun',
    writes: RECORD,
    idempotent: repeatedAs(JOB, madeBy('jobId')),
    summary: 'Import the rows of a dry run',
    description:
      'Starts a job that imports the rows of a finished dry run, each as its newest correction sent it, and answers it. Rows that would fail are sent as well; they fail again unless their cause is gone. A dry run is imported once: a repeated request answers the same job. Rows whose content was removed, because a person was erased, are left out.',
  })
  apply(
    @Call() caller: Caller,
    @Param('jobId') jobId: string,
    @Req() { id: requestId }: ApiRequest,
  ): Promise<JsonText> {
    return this.control.apply(caller, jobId, requestId);
  }

  // Not for partners: whether they may cancel is the matter of each group.
  @Get(':jobId/undo')
  @Operation({
    ...common,
    name: 'previewImportUndo',
    summary: 'Preview what undoing an import would do',
    description:
      'For finished imports. A later change of a record counts if somebody or another job made it.',
    permission: UNDOING,
    roles: ['OWNER', 'MANAGER'],
    readOnly: false,
    rate: 'wide',
    answers: ImportUndoPreview,
  })
  previewUndo(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<ImportUndoPreview> {
    return this.control.previewUndo(caller, jobId);
  }

  @Post(':jobId/undo')
  @Operation({
    ...common,
    name: 'undoImport',
    writes: NEVER_REFUSED,
    idempotent: repeatedAs(JOB, madeBy('jobId')),
    summary: 'Undo an import, or a change of several participants',
    description:
      'Starts a job that cancels bookings and reserved entries, deletes other records, or undoes what a change did, and answers it; follow it like the import. Each record gets an outcome: `CANCELLED`; `UNCHANGED`, if it was cancelled meanwhile; or `FAILED` with `CHANGED_SINCE_IMPORT`, if it changed meanwhile. While such a job is not finished, a repeated request answers the same job, or `400` if it includes changed records and the job does not. A retry of the import returns `400` meanwhile. Cancellations of participants can’t be undone.',
    permission: UNDOING,
    rate: 'import',
    body: ImportUndo,
    answers: ImportJob,
    large: true,
  })
  undo(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Req() { id: requestId }: ApiRequest,
    @Param('jobId') jobId: string,
    @Body() { includeChanged = false }: ImportUndo,
  ): Promise<JsonText> {
    return this.control.undo(caller, actor, jobId, { includeChanged, requestId });
  }
}
