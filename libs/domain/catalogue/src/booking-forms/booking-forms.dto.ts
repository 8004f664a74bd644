import { DateTime, Id, Text } from '#platform/validation';
import type { Availability } from '../shapes.dto';

/** The questions that a ticket asks each participant. */
export class BookingForm {
  @Id() id: string;
  @Text({ example: 'Marathon entry' }) title: string;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

/** A ticket that uses a booking form. */
export class TicketSummary {
  @Id() id: string;
  @Text({ example: 'Early bird' }) title: string;

  /** Computed from the sale dates and the remaining places at the time of the request. */
  availability: Availability;
}
