import { Module } from '@nestjs/common';
import { BookingsService } from '#libs/bookings';
import { BookingsController } from './bookings.controller';

@Module({ controllers: [BookingsController], providers: [BookingsService] })
export class BookingsModule {}
