import { Module } from '@nestjs/common';
import { AddParticipantService } from './add/add-participant.service';
import { BookingsService } from './bookings.service';
import { MovesService } from './move/moves.service';

const SERVICES = [AddParticipantService, BookingsService, MovesService];

/** Cancellation of bookings, and moves and additions of participants, for the modules of the api. */
@Module({ providers: SERVICES, exports: SERVICES })
export class BookingsDomainModule {}
