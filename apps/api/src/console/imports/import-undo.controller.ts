import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import {
  ImportUndo,
  ImportUndoPreview,
  ImportUndoService,
  STAFF_IMPORT_JOB,
  StaffImportJobDetail,
} from '#domain/imports';
import type { Caller } from '#platform/access';
import { Act, type Acting, type ApiRequest, Call, Operation } from '#platform/http';
import type { JsonText } from '#platform/queries';
import { MANAGERS } from '../roles';

@Controller('console/v1/import-jobs')
export class ImportUndoController {
  constructor(private readonly undo: ImportUndoService) {}

  @Get(':id/undo')
  @Operation({
    ...MANAGERS,
    name: 'previewImportUndo',
    summary: 'Preview what undoing an import would do',
    description:
      'For finished imports. A later change of a record counts if somebody or another job made it.',
    answers: ImportUndoPreview,
  })
  preview(@Call() caller: Caller, @Param('id') id: string): Promise<ImportUndoPreview> {
    return this.undo.preview(caller, STAFF_IMPORT_JOB, id);
  }

  @Post(':id/undo')
  @Operation({
    ...MANAGERS,
    name: 'undoImport',
    summary: 'Undo an import',
    description:
      'Starts a job that cancels bookings and reserved entries, or deletes other records, and answers it. Each record gets an outcome: `CANCELLED`; `UNCHANGED`, if it was cancelled meanwhile; or `FAILED` with `CHANGED_SINCE_IMPORT`, if it changed meanwhile. While such a job is not finished, a repeated request answers the same job, or `400` if it includes changed records and the job does not. A retry of the import returns `400` meanwhile.',
    rate: 'import',
    body: ImportUndo,
    answers: StaffImportJobDetail,
  })
  start(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Req() { id: requestId }: ApiRequest,
    @Param('id') jobId: string,
    @Body() { includeChanged = false }: ImportUndo,
  ): Promise<JsonText> {
    return this.undo.start(caller, actor, STAFF_IMPORT_JOB, { jobId, includeChanged, requestId });
  }
}
