import { StaffEntry } from '#domain/participants';
import { Id, Text } from '#platform/validation';

/** An entry that was referred, with the code and the person whose it is. */
export class StaffReferral extends StaffEntry {
  status: 'ELIGIBLE' | 'CANCELLED' | 'REDEEMED';

  /** The code of the referrer. */
  @Text({ example: '3F9A07C2B41E' }) code: string;

  /** A participant of a booking that owns the code. */
  @Id() referrerId: string | null;

  /** The name of that participant. */
  @Text({ example: 'Grace Hopper' }) referrerName: string | null;
}
