import { Module } from '@nestjs/common';
import { BookingFormsController } from './booking-forms.controller';

@Module({ controllers: [BookingFormsController] })
export class BookingFormsModule {}
