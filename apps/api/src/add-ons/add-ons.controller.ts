import { Controller, Get } from '@nestjs/common';
import { ADD_ON_ALLOCATIONS_OF_BOOKING } from '#libs/bookings';
import { Operation, Page } from '#libs/http';
import { type ListRequest, Lists } from '#libs/resources';

@Controller('v0/bookings')
export class AddOnsController {
  constructor(private readonly lists: Lists) {}

  @Get(':id/add-on-allocations')
  @Operation({
    name: 'listBookingAddOnAllocations',
    group: 'AddOns',
    summary: 'List the add-ons of a booking’s participants',
    keys: ['ORGANIZER'],
    surface: 'addOnAllocations',
    rate: 'wide',
    answers: ADD_ON_ALLOCATIONS_OF_BOOKING,
  })
  listOfBooking(@Page() page: ListRequest) {
    return this.lists.page(ADD_ON_ALLOCATIONS_OF_BOOKING, page);
  }
}
