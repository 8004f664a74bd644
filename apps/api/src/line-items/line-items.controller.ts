import { Controller, Get } from '@nestjs/common';
import { LINE_ITEMS_OF_BOOKING } from '#domain/bookings';
import { Operation, Page } from '#platform/http';
import { type ListRequest, Lists } from '#platform/queries';

@Controller('v0/bookings')
export class LineItemsController {
  constructor(private readonly lists: Lists) {}

  @Get(':id/line-items')
  @Operation({
    name: 'listBookingLineItems',
    group: 'LineItems',
    summary: 'List a booking’s line items',
    keys: ['ORGANIZER'],
    permission: 'lineItems:read',
    rate: 'wide',
    etag: true,
    answers: LINE_ITEMS_OF_BOOKING,
  })
  listOfBooking(@Page() page: ListRequest) {
    return this.lists.page(LINE_ITEMS_OF_BOOKING, page);
  }
}
