import { Controller, Get, Param } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation, Page, Query } from '#libs/http';
import { extendMetadata, type ListRequest, Lists, Reads, type Values } from '#libs/resources';
import { APPLICATION, APPLICATIONS, APPLICATIONS_OF_EVENT, Application } from '#libs/start-list';

@Controller('v0')
export class ApplicationsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get('applications')
  @Operation({
    name: 'listApplications',
    group: 'Applications',
    summary: 'List all applications',
    description:
      'All entries on your start lists, in any state. Cancelled and redacted entries are included.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    answers: APPLICATIONS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(APPLICATIONS, page);
  }

  @Get('applications/:id')
  @Operation({
    name: 'getApplication',
    group: 'Applications',
    summary: 'Read an application',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    answers: Application,
    query: { extendMetadata },
  })
  get(@Call() caller: Caller, @Param('id') id: string, @Query() values: Values) {
    return this.reads.one(APPLICATION, caller, id, values);
  }

  @Get('events/:id/applications')
  @Operation({
    name: 'listEventApplications',
    group: 'Events',
    summary: 'List the applications of an event',
    description: 'Of all occurrences of the event.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    answers: APPLICATIONS_OF_EVENT,
  })
  listOfEvent(@Page() page: ListRequest) {
    return this.lists.page(APPLICATIONS_OF_EVENT, page);
  }
}
