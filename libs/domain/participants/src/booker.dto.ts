import { type BOOKER_TYPES } from '#platform/database';
import { Email, Text } from '#platform/validation';
/** Whether the booker bought for their own party, or as a partner. */
export type BookerType = (typeof BOOKER_TYPES)[number];

/** The person who made the booking. All fields are empty after redaction. */
export class Booker {
  @Text({ example: 'Ada' }) firstName: string | null;
  @Text({ example: 'Lovelace' }) lastName: string | null;
  @Email() email: string | null;
  @Text({ example: '+44 20 7946 0018' }) phone: string | null;
}
