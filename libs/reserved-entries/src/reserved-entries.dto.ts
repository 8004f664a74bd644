import type { Discount } from '#libs/resources';

/** What a group holds of one ticket. */
export class ReservedEntryTicket {
  /**
   * The ticket, by its name within the occurrence.
   * @example charity-place
   */
  ticketSlug: string;

  /**
   * How many of the group's places may go to this ticket; absent: as many as the group has.
   * @integer
   * @example 20
   */
  maxCapacity?: number;

  /** What the group's members pay less; `null`: the full price. */
  discount: Discount | null;

  /**
   * From when on it can be claimed.
   * @format date-time
   */
  startDateTime?: string;
}

/** How a group behaves. */
export class ReservedEntrySettings {
  /**
   * Whether your agreement with the partner lets it cancel what was claimed. Information only: partners have no keys of their
   * own, and a cancellation comes from your key.
   */
  canPartnerCancel: boolean;

  /** `IGNORE_CAPACITY`: its places don't count against the ticket's and the race's. */
  reserveCapacity: 'IGNORE_CAPACITY' | 'RESERVE_CAPACITY';

  /** Whether a cancelled place can be claimed again. */
  reallocateOnCancel: boolean;

  /**
   * Only email addresses of this domain may claim a place; `null`: any may.
   * @example acme.example
   */
  domainRestriction: string | null;
}

/** Places set aside for a partner. */
export class ReservedEntryGroup {
  /** @format uuid */
  id: string;

  /** @example Hospice runners */
  name: string;

  /**
   * A note on what the group is for.
   * @example Forty places for fundraisers
   */
  description: string | null;

  /** @format uuid */
  eventId: string;

  /**
   * The partner that owns it.
   * @format uuid
   */
  partnerId: string | null;

  /**
   * How many places it holds.
   * @integer
   * @example 40
   */
  maxCapacity: number;

  /**
   * How many of its places are claimed.
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
