import type { Availability } from '../shapes.dto';

/** The questions that a ticket asks each participant. */
export class BookingForm {
  /** @format uuid */
  id: string;

  /** @example Marathon entry */
  title: string;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}

/** A ticket that uses a booking form. */
export class TicketSummary {
  /** @format uuid */
  id: string;

  /** @example Early bird */
  title: string;

  /** Computed from the sale dates and the remaining places at the time of the request. */
  availability: Availability;
}
