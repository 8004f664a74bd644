import { Controller, Get } from '@nestjs/common';
import { ADD_ON_ALLOCATIONS_OF_BOOKING } from '#domain/bookings';
import { Operation, Page } from '#platform/http';
import { type ListRequest, Lists } from '#platform/queries';
import { ADD_ONS_OF_OCCURRENCE } from './add-on-products.list';

@Controller('v0')
export class AddOnsController {
  constructor(private readonly lists: Lists) {}

  @Get('bookings/:id/add-on-allocations')
  @Operation({
    name: 'listBookingAddOnAllocations',
    group: 'AddOns',
    summary: 'List the add-ons of a booking’s participants',
    keys: ['ORGANIZER'],
    permission: 'addOns:read',
    surface: 'addOnAllocations',
    rate: 'wide',
    etag: true,
    answers: ADD_ON_ALLOCATIONS_OF_BOOKING,
  })
  listOfBooking(@Page() page: ListRequest) {
    return this.lists.page(ADD_ON_ALLOCATIONS_OF_BOOKING, page);
  }

  @Get('event-occurrences/:id/add-ons')
  @Operation({
    name: 'listEventOccurrenceAddOns',
    group: 'AddOns',
    summary: 'List the add-ons of an event occurrence',
    description:
      'The add-ons of the occurrence and of its event, with the ids that imports of add-ons refer to.',
    keys: ['ORGANIZER'],
    permission: 'catalogue:read',
    rate: 'wide',
    etag: true,
    answers: ADD_ONS_OF_OCCURRENCE,
  })
  listOfOccurrence(@Page() page: ListRequest) {
    return this.lists.page(ADD_ONS_OF_OCCURRENCE, page);
  }
}
