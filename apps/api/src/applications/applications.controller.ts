import { Controller, Get, Param } from '@nestjs/common';
import { APPLICATION, APPLICATIONS, APPLICATIONS_OF_EVENT, Application } from '#domain/participants';
import type { Caller } from '#platform/access';
import { Call, digestOperation, Operation, Page, QueryValues } from '#platform/http';
import { Digests, extendMetadata, type ListRequest, Lists, Reads, type Values } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('Applications', 'applications:read'), forPartners: true, etag: true } as const;

@Controller('v0')
export class ApplicationsController {
  constructor(
    private readonly lists: Lists,
    private readonly digests: Digests,
    private readonly reads: Reads,
  ) {}

  @Get('applications')
  @Operation({
    ...READ,
    name: 'listApplications',
    summary: 'List all applications',
    description:
      'All entries on your start lists, in any state. Cancelled and redacted entries are included.',
    answers: APPLICATIONS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(APPLICATIONS, page);
  }

  @Get('applications/digest')
  @Operation(digestOperation('getApplicationsDigest', 'Applications', 'applications:read', 'applications'))
  digest(@Call() caller: Caller, @QueryValues() { bucket }: { bucket?: string }) {
    return this.digests.of(APPLICATIONS, caller, bucket);
  }

  @Get('applications/:id')
  @Operation({
    ...READ,
    name: 'getApplication',
    summary: 'Read an application',
    answers: Application,
    query: { extendMetadata },
  })
  get(@Call() caller: Caller, @Param('id') id: string, @QueryValues() values: Values) {
    return this.reads.one(APPLICATION, caller, id, values);
  }

  @Get('events/:id/applications')
  @Operation({
    ...operationsOf('Events', 'applications:read'),
    name: 'listEventApplications',
    summary: 'List the applications of an event',
    description: 'Of all occurrences of the event.',
    forPartners: true,
    etag: true,
    answers: APPLICATIONS_OF_EVENT,
  })
  listOfEvent(@Page() page: ListRequest) {
    return this.lists.page(APPLICATIONS_OF_EVENT, page);
  }
}
