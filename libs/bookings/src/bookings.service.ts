import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { errors } from '#libs/errors';
import { type JsonText, Reads } from '#libs/resources';
import { bookingErrors } from './bookings.errors';
import { BOOKING } from './bookings.resource';
import { cancelBooking } from './cancel-booking';

const REASON = 'The booking was cancelled through the API.';

@Injectable()
export class BookingsService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
  ) {}

  /**
   * Cancels a booking with source `API` and returns it. Idempotent.
   *
   * @throws ApiError 404 if the booking does not exist, 403 if it has another source
   */
  async cancel(caller: Caller, bookingId: string): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      const outcome = await cancelBooking(manager, { organizationId, bookingId, reason: REASON });
      if (outcome === 'MISSING') throw errors.notFound();
      if (outcome === 'REFUSED') throw bookingErrors.notFromApi();
      return this.reads.one(BOOKING, caller, bookingId, {}, reader);
    });
  }
}
