import { Controller, Param, Post } from '@nestjs/common';
import { Booking, BookingsService } from '#domain/bookings';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, Operation } from '#platform/http';
import type { JsonText } from '#platform/queries';
import { MANAGERS } from '../roles';

@Controller('console/v1/bookings')
export class StaffBookingsController {
  constructor(private readonly bookings: BookingsService) {}

  @Post(':id/cancel')
  @Operation({
    ...MANAGERS,
    name: 'cancelStaffBooking',
    summary: 'Cancel a booking of any source',
    description:
      'Has the effects of `DELETE /v0/bookings/{id}`, which takes bookings with the `source` `API` only, and is recorded in the audit log. Repeating the request succeeds and changes nothing: `cancelledAt` of the response says when the booking was cancelled.',
    answers: Booking,
  })
  cancel(@Call() caller: Caller, @Act() { actor }: Acting, @Param('id') id: string): Promise<JsonText> {
    return this.bookings.cancelByOrganizer(caller, id, actor);
  }
}
