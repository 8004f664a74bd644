import { Controller, Get } from '@nestjs/common';
import { DailyIntake, IMPORT_JOBS, ImportAllowance } from '#domain/imports';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';

@Controller('v0/import-jobs')
export class ImportJobsController {
  constructor(
    private readonly lists: Lists,
    private readonly intake: DailyIntake,
  ) {}

  @Get()
  @Operation({
    name: 'listImportJobs',
    group: 'Imports',
    summary: "List your organization's import jobs",
    description: "Of all surfaces, newest first. A partner's key lists those of the partner's keys.",
    keys: ['ORGANIZER'],
    permission: 'imports:read',
    forPartners: true,
    rate: 'wide',
    answers: IMPORT_JOBS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(IMPORT_JOBS, page);
  }

  @Get('allowance')
  @Operation({
    name: 'getImportAllowance',
    group: 'Imports',
    summary: 'Read how many bytes of imports your organization sent today',
    description: 'The allowance counts the imports of all keys and of the console.',
    keys: ['ORGANIZER'],
    permission: 'imports:read',
    rate: 'wide',
    answers: ImportAllowance,
  })
  allowance(@Call() { organizationId }: Caller): Promise<ImportAllowance> {
    return this.intake.allowance(organizationId);
  }
}
