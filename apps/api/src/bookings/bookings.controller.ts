import { Controller, Delete, Get, Param } from '@nestjs/common';
import { BOOKING, BOOKINGS, BOOKINGS_BY_EXTERNAL_ID, Booking, BookingsService } from '#domain/bookings';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, digestOperation, Operation, Page, QueryValues } from '#platform/http';
import { Digests, extendMetadata, type ListRequest, Lists, Reads, type Values } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('Bookings', 'bookings:read'), forPartners: true, etag: true } as const;

@Controller('v0/bookings')
export class BookingsController {
  constructor(
    private readonly bookings: BookingsService,
    private readonly reads: Reads,
    private readonly lists: Lists,
    private readonly digests: Digests,
  ) {}

  @Get()
  @Operation({ ...READ, name: 'listBookings', summary: 'List bookings', answers: BOOKINGS })
  list(@Page() page: ListRequest) {
    return this.lists.page(BOOKINGS, page);
  }

  @Get('digest')
  @Operation(digestOperation('getBookingsDigest', 'Bookings', 'bookings:read', 'bookings'))
  digest(@Call() caller: Caller, @QueryValues() { bucket }: { bucket?: string }) {
    return this.digests.of(BOOKINGS, caller, bucket);
  }

  /** Must be declared before the routes with `:id`, which would match `external` as a malformed id. */
  @Get('external/:externalBookingId')
  @Operation({
    ...READ,
    name: 'listBookingsByExternalId',
    summary: 'List the bookings under an external id',
    description:
      'Oldest first. Cancelled bookings are included; at most one booking with the external id is not cancelled. If no booking matches, the list is empty. The external id is any text, URL-encoded. White space and invisible characters around it are ignored; otherwise it is compared exactly.',
    foreignIds: ['externalBookingId'],
    answers: BOOKINGS_BY_EXTERNAL_ID,
  })
  listByExternalId(@Page() page: ListRequest) {
    return this.bookings.listByExternalId(page);
  }

  @Get(':id')
  @Operation({
    ...READ,
    name: 'getBooking',
    summary: 'Read a booking',
    answers: Booking,
    query: { extendMetadata },
  })
  get(@Call() caller: Caller, @Param('id') id: string, @QueryValues() values: Values) {
    return this.reads.one(BOOKING, caller, id, values);
  }

  @Delete(':id')
  @Operation({
    ...operationsOf('Bookings', 'bookings:write'),
    name: 'cancelBooking',
    summary: 'Cancel a booking',
    description:
      'With a key only for bookings with the `source` `API`; others return `403`. The booking and its entries stay readable; the entries get a `CANCELLED` status detail. Cancelling frees external ids, bibs and uses of discount codes, and reserved places if the group has `reallocateOnCancel`. An import of the same `externalBookingId` then creates a new booking. Repeating the request succeeds and changes nothing. The response is the cancelled booking.',
    forPartners: true,
    answers: Booking,
  })
  cancel(@Call() caller: Caller, @Act() { actor }: Acting, @Param('id') id: string) {
    return this.bookings.cancel(caller, id, actor);
  }
}
