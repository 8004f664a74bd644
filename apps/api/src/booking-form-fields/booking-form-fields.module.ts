import { Module } from '@nestjs/common';
import { BookingFormFieldsController } from './booking-form-fields.controller';

@Module({ controllers: [BookingFormFieldsController] })
export class BookingFormFieldsModule {}
