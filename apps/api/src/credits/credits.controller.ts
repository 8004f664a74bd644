import { Controller, Get, Param } from '@nestjs/common';
import { CREDIT, CREDITS, Credit } from '#domain/credits';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type ListRequest, Lists, Reads } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = operationsOf('Credits', 'credits:read');

@Controller('v0/credits')
export class CreditsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation({
    ...READ,
    name: 'listCredits',
    summary: 'List credits',
    description:
      'Includes the remaining balance of each. Spending a credit does not change its times: read the credit again for its balance.',
    surface: 'creditsImport',
    answers: CREDITS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(CREDITS, page);
  }

  @Get(':id')
  @Operation({
    ...READ,
    name: 'getCredit',
    summary: 'Read a credit',
    description: 'Ids of gift cards and discount codes return `404`.',
    surface: 'creditsImport',
    answers: Credit,
  })
  get(@Call() caller: Caller, @Param('id') id: string) {
    return this.reads.one(CREDIT, caller, id);
  }
}
