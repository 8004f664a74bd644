import { Controller, Delete, Get, Param } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { BOOKING, BOOKINGS_BY_EXTERNAL_ID, Booking, BookingsService } from '#libs/bookings';
import { Call, Operation, Page, Query } from '#libs/http';
import { extendMetadata, type ListRequest, Reads, type Values } from '#libs/resources';

@Controller('v0/bookings')
export class BookingsController {
  constructor(
    private readonly bookings: BookingsService,
    private readonly reads: Reads,
  ) {}

  /** Must be declared before the routes with `:id`, which would match `external` as a malformed id. */
  @Get('external/:externalBookingId')
  @Operation({
    name: 'listBookingsByExternalId',
    group: 'Bookings',
    summary: 'List the bookings under an external id',
    description:
      'Oldest first. Cancelled bookings are included; at most one booking with the external id is not cancelled. If no booking matches, the list is empty. The external id is any text, URL-encoded. It is compared exactly.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    foreignIds: ['externalBookingId'],
    answers: BOOKINGS_BY_EXTERNAL_ID,
  })
  listByExternalId(@Page() page: ListRequest) {
    return this.bookings.listByExternalId(page);
  }

  @Get(':id')
  @Operation({
    name: 'getBooking',
    group: 'Bookings',
    summary: 'Read a booking',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    answers: Booking,
    query: { extendMetadata },
  })
  get(@Call() caller: Caller, @Param('id') id: string, @Query() values: Values) {
    return this.reads.one(BOOKING, caller, id, values);
  }

  @Delete(':id')
  @Operation({
    name: 'cancelBooking',
    group: 'Bookings',
    summary: 'Cancel a booking',
    description:
      'Only for bookings with the `source` `API`; others return `403`. The booking and its entries stay readable; the entries get a `CANCELLED` status detail. Cancelling frees external ids, bibs and uses of discount codes, and reserved places if the group has `reallocateOnCancel`. An import of the same `externalBookingId` then creates a new booking. Repeating the request succeeds and changes nothing. The response is the cancelled booking.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: Booking,
  })
  cancel(@Call() caller: Caller, @Param('id') id: string) {
    return this.bookings.cancel(caller, id);
  }
}
