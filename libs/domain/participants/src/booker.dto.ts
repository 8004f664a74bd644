import { type BOOKER_TYPES } from '#platform/database';
/** Whether the booker bought for their own party, or as a partner. */
export type BookerType = (typeof BOOKER_TYPES)[number];

/** The person who made the booking. All fields are empty after redaction. */
export class Booker {
  /** @example Ada */
  firstName: string | null;

  /** @example Lovelace */
  lastName: string | null;

  /** @format email */
  email: string | null;

  /** @example +44 20 7946 0018 */
  phone: string | null;
}
