import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Booking } from './bookings';
import { Event, EventOccurrence } from './events';
import { Holds } from './holds';
import { OwnedIndex, References, TimedRow } from './owned-row';
import { StartListEntry } from './start-list';

@Entity('referral_programs')
@References(() => Event, 'eventId')
@References(() => EventOccurrence, 'eventOccurrenceId')
@OwnedIndex('referral_programs_open_idx', ['id'], { where: 'NOT codes_complete' })
export class ReferralProgram extends TimedRow {
  @Column('uuid') eventId: string;
  @Column('uuid') eventOccurrenceId: string;
  @Holds('organizer', 'text') title: string;

  /** The latest time from which new bookings get codes directly. */
  @Column('timestamptz', { nullable: true }) codesFrom: Date | null;

  /** The id of the last earlier booking that has its code. */
  @Column('uuid', { nullable: true }) codesAfter: string | null;

  /** Whether all earlier bookings have their codes. */
  @Column('boolean', { default: false }) codesComplete: boolean;
}

/** A generated referral code and the bookings that own it. */
@Entity('referrers')
@References(() => ReferralProgram, 'referralProgramId')
@Index(['organizationId', 'referralProgramId', 'createdAt', 'id'])
@Index(['organizationId', 'referralProgramId', 'transactionId'], { unique: true })
// TypeORM can't declare an index on an expression: compared(generated_referral_code).
@Index('referrers_code_idx', { synchronize: false })
export class Referrer extends TimedRow {
  @Column('uuid') referralProgramId: string;
  @Holds('foreign', 'text') generatedReferralCode: string;

  /** The checkout whose bookings own the code; null for a code that was created by hand. */
  @Column('uuid', { nullable: true }) transactionId: string | null;

  /** Null: the checkout link with the code. */
  @Holds('foreign', 'text', { nullable: true }) inviteUrl: string | null;
}

@Entity('referrer_owner_bookings')
@References(() => Referrer, 'referrerId')
@References(() => Booking, 'bookingId')
@Index(['organizationId', 'bookingId'])
export class ReferrerOwnerBooking {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') referrerId: string;
  @PrimaryColumn('uuid') bookingId: string;
}

@Entity('referrals')
@References(() => Referrer, 'referrerId')
@References(() => Booking, 'referredBookingId')
@References(() => StartListEntry, 'startListEntryId')
@Index(['organizationId', 'referrerId', 'startListEntryId'], { unique: true })
@Index(['organizationId', 'referrerId', 'createdAt', 'id'])
@Index(['organizationId', 'referredBookingId'])
export class Referral extends TimedRow {
  @Column('uuid') referrerId: string;
  @Column('uuid') referredBookingId: string;

  /** A referred booking has a referral for each of its entries. */
  @Column('uuid') startListEntryId: string;
  @Column('uuid') eventId: string;
  @Column('uuid') eventOccurrenceId: string;

  /** As imported; releases before 0.2 accepted any text. The status in the API also depends on the entry. */
  @Holds('platform', 'text', { default: 'ELIGIBLE' }) status: string;
}
