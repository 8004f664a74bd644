import { Controller, Get } from '@nestjs/common';
import { ADD_ON_ALLOCATIONS_OF_BOOKING } from '#domain/bookings';
import { Operation, Page } from '#platform/http';
import { type ListRequest, Lists } from '#platform/queries';
import { operationsOf } from '../operations-of';
import { ADD_ONS_OF_OCCURRENCE } from './add-on-products.list';

@Controller('v0')
export class AddOnsController {
  constructor(private readonly lists: Lists) {}

  @Get('bookings/:id/add-on-allocations')
  @Operation({
    ...operationsOf('AddOns', 'addOns:read'),
    name: 'listBookingAddOnAllocations',
    summary: 'List the add-ons of a booking’s participants',
    surface: 'addOnAllocations',
    etag: true,
    answers: ADD_ON_ALLOCATIONS_OF_BOOKING,
  })
  listOfBooking(@Page() page: ListRequest) {
    return this.lists.page(ADD_ON_ALLOCATIONS_OF_BOOKING, page);
  }

  @Get('event-occurrences/:id/add-ons')
  @Operation({
    ...operationsOf('AddOns', 'catalogue:read'),
    name: 'listEventOccurrenceAddOns',
    summary: 'List the add-ons of an event occurrence',
    description:
      'The add-ons of the occurrence and of its event, with the ids that imports of add-ons refer to.',
    etag: true,
    answers: ADD_ONS_OF_OCCURRENCE,
  })
  listOfOccurrence(@Page() page: ListRequest) {
    return this.lists.page(ADD_ONS_OF_OCCURRENCE, page);
  }
}
