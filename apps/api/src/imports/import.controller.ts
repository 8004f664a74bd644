import { Controller, Get, Param, Post, Put, Req, type Type } from '@nestjs/common';
import {
  type AcceptedImport,
  IMPORTS,
  ImportSubmission,
  type ImportSurface,
  importJob,
} from '#domain/imports';
import type { Caller } from '#platform/access';
import { type ApiRequest, Call, Operation, QueryValues } from '#platform/http';
import type { ImportMode } from '#platform/import-rows';
import { type JsonText, Reads, type Values } from '#platform/queries';
import { errors } from '#platform/validation';
import { declarationsOf } from './import-declarations';

/** The controller of an import: one class for each, because Nest keeps path and operation of a route with its method. */
export function importController(surface: ImportSurface): Type {
  const { path, corrects } = IMPORTS[surface];
  const JOB = importJob(surface);
  const { create, put, read } = declarationsOf(surface);

  @Controller(`v0/${path}`)
  class ImportController {
    constructor(
      private readonly submission: ImportSubmission,
      private readonly reads: Reads,
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
        options: {
          skipCancelled: values.cancelled === 'skip',
          dryRun,
          continues,
          keepInvalid: values.keepInvalid === true,
        },
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
