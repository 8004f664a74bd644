import { Module } from '@nestjs/common';
import { BookingsDomainModule } from '#domain/bookings';
import { BookingsController } from './bookings.controller';

@Module({ controllers: [BookingsController], imports: [BookingsDomainModule] })
export class BookingsModule {}
