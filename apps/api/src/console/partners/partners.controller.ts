import { Controller, Get } from '@nestjs/common';
import { PARTNERS_FOR_STAFF } from '#domain/partners';
import { Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';
import { READERS } from '../roles';

/** Partners are created and changed by the operations of the API. */
@Controller('console/v1/partners')
export class StaffPartnersController {
  constructor(private readonly lists: Lists) {}

  @Get()
  @Operation({
    ...READERS,
    name: 'listStaffPartners',
    summary: 'List partners with the use of their places, newest first',
    answers: PARTNERS_FOR_STAFF,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(PARTNERS_FOR_STAFF, page);
  }
}
