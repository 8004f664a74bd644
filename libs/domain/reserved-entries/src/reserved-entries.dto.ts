import type { Discount } from '#platform/queries';

/** The places of a group for one ticket. */
export class ReservedEntryTicket {
  /**
   * The slug of the ticket, unique in its occurrence.
   * @example charity-place
   */
  ticketSlug: string;

  /**
   * The most places of the group for this ticket. If absent, all places of the group.
   * @integer
   * @example 20
   */
  maxCapacity?: number;

  /** The discount for members of the group; `null`: none. */
  discount: Discount | null;

  /**
   * When claiming of places starts.
   * @format date-time
   */
  startDateTime?: string;
}

/** The settings of a group. */
export class ReservedEntrySettings {
  /**
   * Whether the partner's keys may cancel bookings of its places.
   */
  canPartnerCancel: boolean;

  /** `IGNORE_CAPACITY`: the places do not count against the capacity of the ticket and the race. */
  reserveCapacity: 'IGNORE_CAPACITY' | 'RESERVE_CAPACITY';

  /** Whether a cancelled place can be claimed again. */
  reallocateOnCancel: boolean;

  /**
   * Only email addresses of this domain can claim a place; `null`: all can.
   * @example acme.example
   */
  domainRestriction: string | null;

  /**
   * Until when the partner’s keys and members can assign, transfer and cancel places; `null`: without an end. The organizer can
   * afterwards, too.
   * @format date-time
   */
  deadline: string | null;
}

/**
 * Places that are reserved for a partner.
 * @mostBytes 11900
 */
export class ReservedEntryGroup {
  /** @format uuid */
  id: string;

  /** @example Hospice runners */
  name: string;

  /**
   * A description of the group.
   * @example Forty places for fundraisers
   */
  description: string | null;

  /** @format uuid */
  eventId: string;

  /**
   * The partner that owns the group.
   * @format uuid
   */
  partnerId: string | null;

  /**
   * The number of places.
   * @integer
   * @example 40
   */
  maxCapacity: number;

  /**
   * The number of claimed places.
   * @integer
   * @example 12
   */
  usedCapacity: number;

  tickets: ReservedEntryTicket[];

  /**
   * `SINGLE_USE`: an email address has at most one place of the group at a time; further assignments fail with `ALREADY_USED`.
   * `MULTI_USE`: it may have several.
   */
  type: 'MULTI_USE' | 'SINGLE_USE';

  settings: ReservedEntrySettings;
}
