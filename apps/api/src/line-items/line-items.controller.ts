import { Controller, Get } from '@nestjs/common';
import { LINE_ITEMS, LINE_ITEMS_OF_BOOKING } from '#domain/bookings';
import type { Caller } from '#platform/access';
import { Call, digestOperation, Operation, Page, QueryValues } from '#platform/http';
import { Digests, type ListRequest, Lists } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('LineItems', 'lineItems:read'), etag: true } as const;

@Controller('v0')
export class LineItemsController {
  constructor(
    private readonly lists: Lists,
    private readonly digests: Digests,
  ) {}

  @Get('line-items')
  @Operation({
    ...READ,
    name: 'listLineItems',
    summary: 'List line items',
    description: 'Of all bookings, by the time of their last change.',
    answers: LINE_ITEMS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(LINE_ITEMS, page);
  }

  @Get('line-items/digest')
  @Operation({
    ...digestOperation('getLineItemsDigest', 'LineItems', 'lineItems:read', 'line items'),
    forPartners: undefined,
  })
  digest(@Call() caller: Caller, @QueryValues() { bucket }: { bucket?: string }) {
    return this.digests.of(LINE_ITEMS, caller, bucket);
  }

  @Get('bookings/:id/line-items')
  @Operation({
    ...READ,
    name: 'listBookingLineItems',
    summary: 'List a booking’s line items',
    answers: LINE_ITEMS_OF_BOOKING,
  })
  listOfBooking(@Page() page: ListRequest) {
    return this.lists.page(LINE_ITEMS_OF_BOOKING, page);
  }
}
