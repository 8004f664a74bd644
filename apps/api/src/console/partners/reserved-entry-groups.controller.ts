import { Controller, Get, Param } from '@nestjs/common';
import { ENTRIES_OF_GROUP } from '#domain/participants';
import { GROUP_FOR_STAFF, GROUPS_FOR_STAFF } from '#domain/reserved-entries';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { READERS } from '../roles';

@Controller('console/v1/reserved-entry-groups')
export class StaffGroupsController {
  constructor(
    private readonly reads: Reads,
    private readonly lists: Lists,
  ) {}

  @Get()
  @Operation({
    ...READERS,
    name: 'listStaffGroups',
    summary: 'List reserved groups with their places, newest first',
    answers: GROUPS_FOR_STAFF,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(GROUPS_FOR_STAFF, page);
  }

  @Get(':id')
  @Operation({
    ...READERS,
    name: 'getStaffGroup',
    summary: 'Read a reserved group',
    answers: GROUP_FOR_STAFF.schema,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(GROUP_FOR_STAFF, caller, id);
  }

  @Get(':id/entries')
  @Operation({
    ...READERS,
    name: 'listGroupEntries',
    summary: 'List the entries with a place of a reserved group, newest first',
    description: 'Cancelled entries are included.',
    answers: ENTRIES_OF_GROUP,
  })
  entries(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(ENTRIES_OF_GROUP, page);
  }
}
