import { Controller, Get } from '@nestjs/common';
import { REQUESTS } from '#domain/staff';
import { Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';
import { MANAGERS } from '../roles';

@Controller('console/v1/requests')
export class RequestsController {
  constructor(private readonly lists: Lists) {}

  @Get()
  @Operation({
    ...MANAGERS,
    name: 'listRequests',
    summary: 'List the requests of the last days with API keys, newest first',
    description:
      'A request appears within seconds. Of each key and clock hour there are at most 1,000 requests, unless configured otherwise; a quarter of them is left to refusals. Requests without a valid key, and those of staff, are not listed.',
    answers: REQUESTS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(REQUESTS, page);
  }
}
