import { Controller, Get, Param } from '@nestjs/common';
import {
  BOOKING_FORM,
  BookingForm,
  FORMS_OF_TICKET,
  FORMS_WITH_FIELD,
  TICKETS_WITH_FORM,
} from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('BookingForms', 'catalogue:read'), forPartners: true } as const;

@Controller('v0')
export class BookingFormsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get('tickets/:id/booking-forms')
  @Operation({
    ...READ,
    name: 'listTicketBookingForms',
    summary: 'List the booking forms of a ticket',
    description: 'Usually none or one. Without `page[size]`, all items are returned.',
    etag: true,
    answers: FORMS_OF_TICKET,
  })
  ofTicket(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(FORMS_OF_TICKET, page);
  }

  @Get('booking-forms/:id')
  @Operation({
    ...READ,
    name: 'getBookingForm',
    summary: 'Read a booking form',
    etag: true,
    answers: BookingForm,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(BOOKING_FORM, caller, id);
  }

  @Get('booking-forms/:id/tickets')
  @Operation({
    ...READ,
    name: 'listBookingFormTickets',
    summary: 'List the tickets that use a booking form',
    description: 'All tickets that are not deleted, with any `availability`, in catalogue order.',
    answers: TICKETS_WITH_FORM,
  })
  tickets(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(TICKETS_WITH_FORM, page);
  }

  @Get('booking-form-fields/:id/booking-forms')
  @Operation({
    ...READ,
    name: 'listBookingFormFieldBookingForms',
    summary: 'List the booking forms that contain a field',
    etag: true,
    answers: FORMS_WITH_FIELD,
  })
  withField(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(FORMS_WITH_FIELD, page);
  }
}
