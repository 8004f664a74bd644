import type { DataSource, DeepPartial } from 'typeorm';
import { Referral, ReferralProgram, Referrer, ReferrerOwnerBooking } from '#platform/database';
import { type BookingWithEntries, booking } from './bookings';
import { type Given, insert, occurrence } from './catalogue';
import { next } from './organizations';

export const referralProgram = async (dataSource: DataSource, given: Given<ReferralProgram>) => {
  const { id: eventOccurrenceId, eventId } = await occurrence(dataSource, {
    organizationId: given.organizationId,
  });
  return insert(dataSource, ReferralProgram, {
    title: `Program ${next()}`,
    eventId,
    eventOccurrenceId,
    ...given,
  } as DeepPartial<ReferralProgram>);
};

/** @param owners the number of bookings that own its code */
export async function referrer(
  dataSource: DataSource,
  { owners = 1, ...given }: Given<Referrer> & { referralProgramId: string; owners?: number },
): Promise<Referrer & { ownerBookingIds: string[] }> {
  const { organizationId } = given;
  const generatedReferralCode = `REF-${next()}`;
  const row = await insert(dataSource, Referrer, {
    generatedReferralCode,
    inviteUrl: `https://example.com/join/${generatedReferralCode}`,
    ...given,
  } as DeepPartial<Referrer>);
  const ownerBookingIds: string[] = [];
  for (let i = 0; i < owners; i++) {
    const { id: bookingId } = await booking(dataSource, { organizationId });
    await dataSource
      .getRepository(ReferrerOwnerBooking)
      .insert({ organizationId, referrerId: row.id, bookingId });
    ownerBookingIds.push(bookingId);
  }
  return Object.assign(row, { ownerBookingIds });
}

/** A referral of a booking's first entry. */
export async function referral(
  dataSource: DataSource,
  { of, ...given }: Given<Referral> & { referrerId: string; of?: BookingWithEntries },
): Promise<Referral> {
  const referred = of ?? (await booking(dataSource, { organizationId: given.organizationId }));
  return insert(dataSource, Referral, {
    referredBookingId: referred.id,
    startListEntryId: referred.entries[0]?.id,
    eventId: referred.eventId,
    eventOccurrenceId: referred.eventOccurrenceId,
    ...given,
  } as DeepPartial<Referral>);
}
