import { StaffEntry } from '#domain/participants';

/** An entry that was referred, with the code and the person whose it is. */
export class StaffReferral extends StaffEntry {
  status: 'ELIGIBLE' | 'CANCELLED' | 'REDEEMED';

  /**
   * The code of the referrer.
   * @example 3F9A07C2B41E
   */
  code: string;

  /**
   * A participant of a booking that owns the code.
   * @format uuid
   */
  referrerId: string | null;

  /**
   * The name of that participant.
   * @example Grace Hopper
   */
  referrerName: string | null;
}
