import { DateTime, Id, Int, Text } from '#platform/validation';
/** A reserved group as staff see it. */
export class StaffGroup {
  @Id() id: string;
  @Text({ example: 'Hospice runners' }) name: string;

  /** A description of the group. */
  @Text({ example: 'Forty places for fundraisers' }) description: string | null;

  /** The code that members enter at checkout. */
  @Text({ example: 'HOSPICE' }) code: string;

  /** The link for members. */
  @Text({ example: 'https://harbour.example/join/hospice' }) url: string | null;

  /** `SINGLE_USE`: an email address has at most one place of the group at a time. */
  type: 'MULTI_USE' | 'SINGLE_USE';
  @Id() partnerId: string | null;

  /** The name of the partner. */
  @Text({ example: 'Harbour Hospice' }) partnerName: string | null;
  @Id() eventOccurrenceId: string;

  /** The title of the event. */
  @Text({ example: 'City Marathon' }) eventTitle: string;

  /** The time zone of the event. */
  @Text({ example: 'Europe/London' }) timeZone: string;

  /** The number of places. */
  @Int({ example: 40 }) maxCapacity: number;

  /** The number of claimed places. */
  @Int({ example: 12 }) usedCapacity: number;

  /** Until when the partner can assign, transfer and cancel places. */
  @DateTime() deadline: string | null;
  @DateTime() createdAt: string;
}
