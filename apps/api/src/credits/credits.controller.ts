import { Controller, Get, Param } from '@nestjs/common';
import { CREDIT, CREDITS, Credit } from '#domain/credits';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type ListRequest, Lists, Reads } from '#platform/queries';

@Controller('v0/credits')
export class CreditsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation({
    name: 'listCredits',
    group: 'Credits',
    summary: 'List credits',
    description:
      'Includes the remaining balance of each. Spending a credit does not change its times: read the credit again for its balance.',
    keys: ['ORGANIZER'],
    permission: 'credits:read',
    surface: 'creditsImport',
    rate: 'wide',
    answers: CREDITS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(CREDITS, page);
  }

  @Get(':id')
  @Operation({
    name: 'getCredit',
    group: 'Credits',
    summary: 'Read a credit',
    description: 'Ids of gift cards and discount codes return `404`.',
    keys: ['ORGANIZER'],
    permission: 'credits:read',
    surface: 'creditsImport',
    rate: 'wide',
    answers: Credit,
  })
  get(@Call() caller: Caller, @Param('id') id: string) {
    return this.reads.one(CREDIT, caller, id);
  }
}
