import { Body, Controller, Get, Param, Post, Put, Req, type Type } from '@nestjs/common';
import {
  type AcceptedImport,
  IMPORTS,
  ImportSubmission,
  type ImportSurface,
  ImportUndo,
  type ImportUndoPreview,
  ImportUndoService,
  importJob,
  importRows,
} from '#domain/imports';
import type { Caller } from '#platform/access';
import { Act, type Acting, type ApiRequest, Call, Operation, Page, QueryValues } from '#platform/http';
import type { ImportMode } from '#platform/import-rows';
import { type JsonText, type ListRequest, Lists, Reads, type Values } from '#platform/queries';
import { errors } from '#platform/validation';
import { ImportControl } from './import-control.service';
import { declarationsOf } from './import-declarations';

/** The controller of an import: one class for each, because Nest keeps path and operation of a route with its method. */
export function importController(surface: ImportSurface): Type {
  const { path, corrects } = IMPORTS[surface];
  const JOB = importJob(surface);
  const ROWS = importRows(surface);
  const { create, put, read, rows, cancel, retry, applyTrial, undo } = declarationsOf(surface);

  @Controller(`v0/${path}`)
  class ImportController {
    constructor(
      private readonly submission: ImportSubmission,
      private readonly lists: Lists,
      private readonly reads: Reads,
      private readonly control: ImportControl,
      private readonly undoing: ImportUndoService,
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

    @Get(':jobId/undo')
    @Operation(undo.preview)
    previewUndo(@Call() caller: Caller, @Param('jobId') jobId: string): Promise<ImportUndoPreview> {
      return this.undoing.preview(caller, JOB, jobId);
    }

    @Post(':jobId/undo')
    @Operation(undo.start)
    undo(
      @Call() caller: Caller,
      @Act() { actor }: Acting,
      @Req() { id: requestId }: ApiRequest,
      @Param('jobId') jobId: string,
      @Body() { includeChanged = false }: ImportUndo,
    ): Promise<JsonText> {
      return this.undoing.start(caller, actor, JOB, { jobId, includeChanged, requestId });
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

    @Post(':jobId/apply')
    @Operation(applyTrial)
    async applyTrial(
      @Call() caller: Caller,
      @Param('jobId') trialId: string,
      @Req() { id: requestId }: ApiRequest,
    ): Promise<JsonText> {
      // A partner sees the jobs of its keys only.
      await this.reads.one(JOB, caller, trialId);
      const jobId = await this.submission.importTrial(caller, { surface, trialId, requestId });
      return this.reads.one(JOB, caller, jobId);
    }

    protected accept(
      caller: Caller,
      request: ApiRequest,
      mode: ImportMode,
      values: Values,
    ): Promise<AcceptedImport> {
      const dryRun = values.dryRun === true;
      const continues = values.continues as string | undefined;
      if (continues && !dryRun) throw errors.invalid('continues needs dryRun=true');
      return this.submission.accept(caller, {
        surface,
        mode,
        options: { skipCancelled: values.cancelled === 'skip', dryRun, continues },
        name: values.name as string | undefined,
        operation: request.operation?.name ?? create.name,
        body: request.body as Buffer,
        idempotencyKey: request.headers['idempotency-key'] as string | undefined,
        requestId: request.id,
      });
    }
  }
  let controller: typeof ImportController = ImportController;
  if (put) {
    const putting = put;
    @Controller(`v0/${path}`)
    class PutController extends controller {
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
    controller = PutController;
  }
  return named(controller, surface);
}

/** Errors and logs of the framework contain the name of the class. */
function named(controller: Type, surface: ImportSurface): Type {
  Object.defineProperty(controller, 'name', { value: `${surface}Controller` });
  return controller;
}
