/** A reserved group as staff see it. */
export class StaffGroup {
  /** @format uuid */
  id: string;

  /** @example Hospice runners */
  name: string;

  /**
   * A description of the group.
   * @example Forty places for fundraisers
   */
  description: string | null;

  /**
   * The code that members enter at checkout.
   * @example HOSPICE
   */
  code: string;

  /**
   * The link for members.
   * @example https://harbour.example/join/hospice
   */
  url: string | null;

  /** `SINGLE_USE`: an email address has at most one place of the group at a time. */
  type: 'MULTI_USE' | 'SINGLE_USE';

  /** @format uuid */
  partnerId: string | null;

  /**
   * The name of the partner.
   * @example Harbour Hospice
   */
  partnerName: string | null;

  /** @format uuid */
  eventOccurrenceId: string;

  /**
   * The title of the event.
   * @example City Marathon
   */
  eventTitle: string;

  /**
   * The time zone of the event.
   * @example Europe/London
   */
  timeZone: string;

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

  /**
   * Until when the partner can assign, transfer and cancel places.
   * @format date-time
   */
  deadline: string | null;

  /** @format date-time */
  createdAt: string;
}
