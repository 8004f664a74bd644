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

  /** Derived from the sale's dates and the places left, at the moment of reading. */
  availability: Availability;
}
