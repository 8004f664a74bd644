import { Controller, Delete, Get, Param } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { BOOKING, BOOKINGS_BY_EXTERNAL_ID, Booking, BookingsService } from '#libs/bookings';
import { Call, Operation, Page, Query } from '#libs/http';
import { extendMetadata, type ListRequest, Lists, Reads, type Values } from '#libs/resources';

@Controller('v0/bookings')
export class BookingsController {
  constructor(
    private readonly bookings: BookingsService,
    private readonly reads: Reads,
    private readonly lists: Lists,
  ) {}

  /** Stands before the routes below `:id`, which would take `external` for a malformed id. */
  @Get('external/:externalBookingId')
  @Operation({
    name: 'listBookingsByExternalId',
    group: 'Bookings',
    summary: 'List the bookings under an external id',
    description:
      'Oldest first, so the latest is last: cancelled bookings stay listed under their external id, and at most one booking under it is not cancelled. Answers an empty list when nothing matches. The external id is any text, URL encoded, and is compared exactly.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    foreignIds: ['externalBookingId'],
    answers: BOOKINGS_BY_EXTERNAL_ID,
  })
  listByExternalId(@Page() page: ListRequest) {
    return this.lists.page(BOOKINGS_BY_EXTERNAL_ID, page);
  }

  @Get(':id')
  @Operation({
    name: 'getBooking',
    group: 'Bookings',
    summary: 'Read a booking',
    keys: ['ORGANIZER'],
    rate: 'wide',
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
      'For bookings whose `source` is `API`; others answer `403`. The booking and its entries stay readable, the entries with a `CANCELLED` status detail. Its external ids, bibs and discount usage are freed, and its reserved places where the group’s settings say `reallocateOnCancel`; importing the same `externalBookingId` then makes a new booking. Repeating the call succeeds and changes nothing. Answers the booking as it now stands.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: Booking,
  })
  cancel(@Call() caller: Caller, @Param('id') id: string) {
    return this.bookings.cancel(caller, id);
  }
}
