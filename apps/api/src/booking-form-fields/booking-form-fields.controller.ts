import { Controller, Get, Param } from '@nestjs/common';
import { BOOKING_FORM_FIELD, BOOKING_FORM_FIELDS, BookingFormField, FIELDS_OF_FORM } from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = {
  ...operationsOf('BookingFormFields', 'catalogue:read'),
  forPartners: true,
  etag: true,
} as const;

@Controller('v0')
export class BookingFormFieldsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get('booking-form-fields')
  @Operation({
    ...READ,
    name: 'listBookingFormFields',
    summary: 'List booking form fields',
    description: 'Without `page[size]`, all items are returned.',
    answers: BOOKING_FORM_FIELDS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(BOOKING_FORM_FIELDS, page);
  }

  @Get('booking-form-fields/:id')
  @Operation({
    ...READ,
    name: 'getBookingFormField',
    summary: 'Read a booking form field',
    answers: BookingFormField,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(BOOKING_FORM_FIELD, caller, id);
  }

  @Get('booking-forms/:id/fields')
  @Operation({
    ...READ,
    name: 'listFieldsOfBookingForm',
    summary: 'List the fields of a booking form',
    description: 'In the order of the form. Without `page[size]`, all items are returned.',
    answers: FIELDS_OF_FORM,
  })
  ofForm(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(FIELDS_OF_FORM, page);
  }
}
