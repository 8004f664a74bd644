import { Controller, Get } from '@nestjs/common';
import { Operation, Page } from '#libs/http';
import { IMPORT_JOBS } from '#libs/imports';
import { type JsonText, type ListRequest, Lists } from '#libs/resources';

@Controller('v0/import-jobs')
export class ImportJobsController {
  constructor(private readonly lists: Lists) {}

  @Get()
  @Operation({
    name: 'listImportJobs',
    group: 'Imports',
    summary: "List your organization's import jobs",
    description: 'Of all surfaces, newest first.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: IMPORT_JOBS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(IMPORT_JOBS, page);
  }
}
