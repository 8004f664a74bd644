import { Controller, Get, Param, Post, Put, Req, type Type } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { type ApiRequest, Call, Operation, Page, Query } from '#libs/http';
import type { ImportMode } from '#libs/import-rows';
import {
  AcceptedImport,
  IMPORTS,
  ImportJob,
  ImportSubmission,
  type ImportSurface,
  importJob,
  importOperations,
  importRows,
} from '#libs/imports';
import {
  boolean,
  type JsonText,
  type ListRequest,
  Lists,
  oneOf,
  type Parameters,
  Reads,
  type Values,
} from '#libs/resources';
import { ImportControl } from './import-control.service';

const ABOUT_JOBS =
  'Accepts 1 to 10,000 rows of at most 200,000 characters each. The format of all rows is checked immediately: either all rows are accepted or none. ' +
  'A worker then processes each row; follow the job for the outcomes. With an `Idempotency-Key` header, a request can be repeated safely for 24 hours.';

const dryRun = boolean(
  'Find the outcome that each row would have now, and write nothing. The job has `dryRun: true` and is kept for a day.',
);

const createMissing = boolean(
  'Import rows without an existing booking. Otherwise they fail with `BOOKING_NOT_FOUND`.',
);

const cancelled = oneOf(
  'How to process a row whose id belonged to a cancelled booking and to no other. `import` (the default) creates a ' +
    'new booking; `skip` skips the row as `CANCELLED_BEFORE`. Use `skip` if you post all bookings again.',
  ['import', 'skip'] as const,
);

/** The operations of an import, for every surface. */
export function importController(surface: ImportSurface): Type {
  const {
    what,
    description,
    path,
    body,
    replaces,
    corrects,
    skipsCancelled,
    group = 'Imports',
  } = IMPORTS[surface];
  const { create, replace, correct, read, rows, cancel, retry } = importOperations(surface);
  const JOB = importJob(surface);
  const ROWS = importRows(surface);

  const options: Parameters = { dryRun, ...(skipsCancelled && { cancelled }) };
  const accepting = (name: string, summary: string, query = options, more = description) =>
    Operation({
      name,
      group,
      summary,
      description: `${more}\n\n${ABOUT_JOBS}`,
      keys: ['ORGANIZER'],
      rate: 'import',
      surface,
      query,
      body,
      rawBody: true,
      idempotent: true,
      bodyLimit: 'import',
      answers: AcceptedImport,
    });

  @Controller(`v0/${path}`)
  class ImportController {
    constructor(
      protected readonly submission: ImportSubmission,
      private readonly lists: Lists,
      private readonly reads: Reads,
      private readonly control: ImportControl,
    ) {}

    @Post()
    @accepting(create, `Import ${what}`)
    create(
      @Call() caller: Caller,
      @Req() request: ApiRequest,
      @Query() values: Values,
    ): Promise<AcceptedImport> {
      return this.accept(caller, request, 'CREATE', values);
    }

    @Get(':jobId')
    @Operation({
      name: read,
      group,
      summary: `Follow an import of ${what}`,
      description:
        'Counts change while the job runs. `results` is present when the job is finished, for up to 1,000 rows.',
      keys: ['ORGANIZER'],
      rate: 'wide',
      answers: ImportJob,
    })
    job(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<JsonText> {
      return this.reads.one(JOB, caller, jobId);
    }

    @Get(':jobId/rows')
    @Operation({
      name: rows,
      group,
      summary: `List the rows of an import of ${what}`,
      description: 'In the order of the rows in the request.',
      keys: ['ORGANIZER'],
      rate: 'wide',
      answers: ROWS,
    })
    rows(@Page() page: ListRequest): Promise<JsonText> {
      return this.lists.page(ROWS, page);
    }

    @Post(':jobId/cancel')
    @Operation({
      name: cancel,
      group,
      summary: `Cancel an import of ${what}`,
      description:
        'The job becomes `FAILED`, and `failure` says that it was cancelled. Rows with an outcome do not change; the other rows are not written and are `NOT_REACHED`. A finished job does not change.',
      keys: ['ORGANIZER'],
      rate: 'import',
      surface,
      answers: ImportJob,
    })
    cancel(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<JsonText> {
      return this.control.cancel(caller, surface, jobId);
    }

    @Post(':jobId/retry')
    @Operation({
      name: retry,
      group,
      summary: `Retry the failed rows of an import of ${what}`,
      description:
        'Processes the failed rows of a finished job again, and the rows that it did not reach. Other rows keep their outcome. The job becomes `QUEUED` again. A job that is not finished does not change.',
      keys: ['ORGANIZER'],
      rate: 'import',
      surface,
      answers: ImportJob,
    })
    retry(
      @Call() caller: Caller,
      @Param('jobId') jobId: string,
      @Req() request: ApiRequest,
    ): Promise<JsonText> {
      return this.control.retry(caller, surface, jobId, request.id);
    }

    protected accept(
      caller: Caller,
      request: ApiRequest,
      mode: ImportMode,
      values: Values,
    ): Promise<AcceptedImport> {
      const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
      const operation = request.operation?.name ?? create;
      return this.submission.accept(caller, {
        surface,
        mode,
        options: { skipCancelled: values.cancelled === 'skip', dryRun: values.dryRun === true },
        operation,
        body: request.body as Buffer,
        idempotencyKey,
        requestId: request.id,
      });
    }
  }
  if (corrects) {
    @Controller(`v0/${path}`)
    class CorrectingController extends ImportController {
      @Put()
      @accepting(correct, `Correct ${what}`, { ...options, create: createMissing }, corrects)
      correct(
        @Call() caller: Caller,
        @Req() request: ApiRequest,
        @Query() values: Values,
      ): Promise<AcceptedImport> {
        return this.accept(caller, request, values.create === true ? 'UPSERT' : 'UPDATE', values);
      }
    }
    return named(CorrectingController, surface);
  }
  if (!replaces) return named(ImportController, surface);

  @Controller(`v0/${path}`)
  class UpsertController extends ImportController {
    @Put()
    @accepting(replace, `Import or replace ${what}`)
    replace(
      @Call() caller: Caller,
      @Req() request: ApiRequest,
      @Query() values: Values,
    ): Promise<AcceptedImport> {
      return this.accept(caller, request, 'UPSERT', values);
    }
  }
  return named(UpsertController, surface);
}

/** Errors and logs of the framework contain the name of the class. */
function named(controller: Type, surface: ImportSurface): Type {
  Object.defineProperty(controller, 'name', { value: `${surface}Controller` });
  return controller;
}
