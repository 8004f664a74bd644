import { Id, Text, Uri } from '#platform/validation';
/** A program under which every booking of the occurrence gets a referral code. */
export class ReferralProgram {
  /** The id of the program, which imports of referrals refer to. */
  @Id() id: string;
  @Text({ example: 'Bring a friend' }) title: string;
  @Id() eventId: string;
  @Id() eventOccurrenceId: string;
}

/** A generated referral code and the bookings that own it. */
export class Referrer {
  /** The code that new participants enter. It stays the same. */
  @Text({ example: '3F9A07C2B41E' }) generatedReferralCode: string;

  /** Several bookings if one checkout created several. */
  @Id() referralCodeOwnerBookingIds: string[];

  /** The link to share: the checkout of the program's occurrence, with the code. */
  @Uri() inviteUrl: string;
}

/** A start list entry that was booked with a referrer's code. Each entry of a referred booking is a referral. */
export class Referral {
  @Id() referralId: string;
  @Id() referredBookingId: string;

  /** The application id of the entry. */
  @Id() startListEntryId: string;
  @Id() eventId: string;
  @Id() eventOccurrenceId: string;

  /**
   * `ELIGIBLE`: counts towards the reward. `REDEEMED`: the reward was given. `CANCELLED`: the booking or the entry was
   * cancelled, or the application was rejected or withdrawn, whether or not the reward was given before.
   */
  status: 'ELIGIBLE' | 'CANCELLED' | 'REDEEMED';
}
