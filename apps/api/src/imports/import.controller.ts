import { Controller, Get, Param, Post, Put, Req, type Type } from '@nestjs/common';
import {
  type AcceptedImport,
  IMPORTS,
  ImportSubmission,
  type ImportSurface,
  importJob,
  importRows,
} from '#domain/imports';
import type { Caller } from '#platform/access';
import { type ApiRequest, Call, Operation, Page, QueryValues } from '#platform/http';
import type { ImportMode } from '#platform/import-rows';
import { type JsonText, type ListRequest, Lists, Reads, type Values } from '#platform/queries';
import { ImportControl } from './import-control.service';
import { declarationsOf } from './import-declarations';

/** The controller of an import: one class for each, because Nest keeps path and operation of a route with its method. */
export function importController(surface: ImportSurface): Type {
  const { path, corrects } = IMPORTS[surface];
  const JOB = importJob(surface);
  const ROWS = importRows(surface);
  const { create, put, read, rows, cancel, retry } = declarationsOf(surface);

  @Controller(`v0/${path}`)
  class ImportController {
    constructor(
      protected readonly submission: ImportSubmission,
      private readonly lists: Lists,
      private readonly reads: Reads,
      private readonly control: ImportControl,
    ) {}

    @Post()
    @Operation(create)
    create(
      @Call() caller: Caller,
      @Req() request: ApiRequest,
      @QueryValues() values: Values,
    ): Promise<AcceptedImport> {
      return this.accept(caller, request, 'CREATE', values);
    }

    @Get(':jobId')
    @Operation(read)
    job(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<JsonText> {
      return this.reads.one(JOB, caller, jobId);
    }

    @Get(':jobId/rows')
    @Operation(rows)
    rows(@Page() page: ListRequest): Promise<JsonText> {
      return this.lists.page(ROWS, page);
    }

    @Post(':jobId/cancel')
    @Operation(cancel)
    cancel(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<JsonText> {
      return this.control.cancel(caller, surface, jobId);
    }

    @Post(':jobId/retry')
    @Operation(retry)
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
      return this.submission.accept(caller, {
        surface,
        mode,
        options: { skipCancelled: values.cancelled === 'skip', dryRun: values.dryRun === true },
        operation: request.operation?.name ?? create.name,
        body: request.body as Buffer,
        idempotencyKey: request.headers['idempotency-key'] as string | undefined,
        requestId: request.id,
      });
    }
  }
  if (!put) return named(ImportController, surface);
  const putting = put;

  @Controller(`v0/${path}`)
  class PutController extends ImportController {
    @Put()
    @Operation(putting)
    put(
      @Call() caller: Caller,
      @Req() request: ApiRequest,
      @QueryValues() values: Values,
    ): Promise<AcceptedImport> {
      const createsMissing = !corrects || values.create === true;
      return this.accept(caller, request, createsMissing ? 'UPSERT' : 'UPDATE', values);
    }
  }
  return named(PutController, surface);
}

/** Errors and logs of the framework contain the name of the class. */
function named(controller: Type, surface: ImportSurface): Type {
  Object.defineProperty(controller, 'name', { value: `${surface}Controller` });
  return controller;
}
