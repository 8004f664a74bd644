import { Module } from '@nestjs/common';
import { BookingsService } from './bookings.service';

/** Cancellation of bookings, for the modules of the api. */
@Module({ providers: [BookingsService], exports: [BookingsService] })
export class BookingsDomainModule {}
