import { Controller, Get } from '@nestjs/common';
import { Operation, Page } from '#libs/http';
import { type JsonText, type ListRequest, Lists } from '#libs/resources';
import { REQUESTS } from './requests.resource';

@Controller('console/v1/requests')
export class RequestsController {
  constructor(private readonly lists: Lists) {}

  @Get()
  @Operation({
    name: 'listRequests',
    group: 'Console',
    summary: 'List the requests of the last days with API keys, newest first',
    description:
      'A request appears within seconds. Of each key and clock hour there are at most 1,000 requests, unless configured otherwise; a quarter of them is left to refusals. Requests without a valid key, and those of staff, are not listed.',
    keys: [],
    roles: ['OWNER', 'MANAGER'],
    rate: 'wide',
    answers: REQUESTS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(REQUESTS, page);
  }
}
