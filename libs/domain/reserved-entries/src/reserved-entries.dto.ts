import type { Discount } from '#platform/queries';
import { DateTime, Id, Int, Text } from '#platform/validation';

/** The places of a group for one ticket. */
export class ReservedEntryTicket {
  /** The slug of the ticket, unique in its occurrence. */
  @Text({ example: 'charity-place' }) ticketSlug: string;

  /** The most places of the group for this ticket. If absent, all places of the group. */
  @Int({ example: 20 }) maxCapacity?: number;

  /** The discount for members of the group; `null`: none. */
  discount: Discount | null;

  /** When claiming of places starts. */
  @DateTime() startDateTime?: string;
}

/** The settings of a group. */
export class ReservedEntrySettings {
  /** Whether the partner's keys may cancel bookings of its places. */
  canPartnerCancel: boolean;

  /** `IGNORE_CAPACITY`: the places do not count against the capacity of the ticket and the race. */
  reserveCapacity: 'IGNORE_CAPACITY' | 'RESERVE_CAPACITY';

  /** Whether a cancelled place can be claimed again. */
  reallocateOnCancel: boolean;

  /** Only email addresses of this domain can claim a place; `null`: all can. */
  @Text({ example: 'acme.example' }) domainRestriction: string | null;

  /**
   * Until when the partner’s keys and members can assign, transfer and cancel places, and add answers; `null`: without an end. The
   * organizer can afterwards, too.
   */
  @DateTime() deadline: string | null;
}

/**
 * Places that are reserved for a partner.
 * @mostBytes 11900
 */
export class ReservedEntryGroup {
  @Id() id: string;
  @Text({ example: 'Hospice runners' }) name: string;

  /** A description of the group. */
  @Text({ example: 'Forty places for fundraisers' }) description: string | null;

  /** The code with which its members claim places. */
  @Text({ example: 'HOSPICE40' }) code: string;
  @Id() eventId: string;

  /** The partner that owns the group. */
  @Id() partnerId: string | null;

  /** The number of places. */
  @Int({ example: 40 }) maxCapacity: number;

  /** The number of claimed places. */
  @Int({ example: 12 }) usedCapacity: number;
  tickets: ReservedEntryTicket[];

  /**
   * `SINGLE_USE`: an email address has at most one place of the group at a time; further assignments fail with `ALREADY_USED`.
   * `MULTI_USE`: it may have several.
   */
  type: 'MULTI_USE' | 'SINGLE_USE';
  settings: ReservedEntrySettings;
}
