import { Controller, Get, Param } from '@nestjs/common';
import {
  IMPORT_PLACES,
  ImportPlacesOfJob,
  STAFF_IMPORT_JOB,
  STAFF_IMPORT_JOBS,
  STAFF_IMPORT_ROWS,
  StaffImportJobDetail,
} from '#domain/imports';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { READERS } from '../roles';

@Controller('console/v1/import-jobs')
export class StaffImportJobsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation({
    ...READERS,
    name: 'listStaffImportJobs',
    summary: 'List import jobs with their senders, newest first',
    answers: STAFF_IMPORT_JOBS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(STAFF_IMPORT_JOBS, page);
  }

  @Get(':id')
  @Operation({
    ...READERS,
    name: 'getStaffImportJob',
    summary: 'Read an import job with its numbers of failed rows by code',
    answers: StaffImportJobDetail,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(STAFF_IMPORT_JOB, caller, id);
  }

  @Get(':id/places')
  @Operation({
    ...READERS,
    name: 'getImportPlaces',
    summary: 'Read the places of races and tickets that an import of bookings uses',
    description: 'Of races and tickets with a maximum.',
    answers: ImportPlacesOfJob,
  })
  places(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(IMPORT_PLACES, caller, id);
  }

  @Get(':id/rows')
  @Operation({
    ...READERS,
    name: 'listStaffImportRows',
    summary: 'List the rows of an import job with their content and outcomes',
    answers: STAFF_IMPORT_ROWS,
  })
  rows(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(STAFF_IMPORT_ROWS, page);
  }
}
