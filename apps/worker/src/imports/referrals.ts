import { newId } from '#libs/database';
import type { ReferralImportRow } from '#libs/imports';
import type { ImportHandler } from './import-handler';
import { insertRows } from './insert-rows';
import { type KnownBooking, lockBookings } from './lock-bookings';
import { failed, Outcomes, problem, succeeded } from './outcomes';

const REFERRALS = {
  organization_id: 'uuid',
  id: 'uuid',
  referrer_id: 'uuid',
  referred_booking_id: 'uuid',
  start_list_entry_id: 'uuid',
  event_id: 'uuid',
  event_occurrence_id: 'uuid',
  status: 'text',
} as const;

const REFERRERS = /* sql */ `
  SELECT p.id AS "programId", r.id, r.generated_referral_code AS code FROM referral_programs p
  LEFT JOIN referrers r ON r.organization_id = p.organization_id AND r.referral_program_id = p.id
    AND r.generated_referral_code = ANY ($3)
  WHERE p.organization_id = $1 AND p.id = ANY ($2)
`;

/** A booking's first entry, and the referrals that it has. */
const ENTRIES = /* sql */ `
  SELECT DISTINCT ON (booking_id) booking_id AS "bookingId", id FROM start_list_entries
  WHERE organization_id = $1 AND booking_id = ANY ($2) ORDER BY booking_id, participant_index
`;

const EXISTING = /* sql */ `
  SELECT id, referrer_id AS "referrerId", referred_booking_id AS "bookingId" FROM referrals
  WHERE organization_id = $1 AND referred_booking_id = ANY ($2)
`;

/** The code goes into the entries' bookingCodesUsed. */
const USED = /* sql */ `
  UPDATE bookings b SET referral_codes = array_append(b.referral_codes, x.code)
  FROM jsonb_to_recordset($2::jsonb) AS x (booking_id uuid, code text)
  WHERE b.organization_id = $1 AND b.id = x.booking_id AND x.code <> ALL (b.referral_codes)
`;

/** Bookings that came through somebody's code. Program, code and booking together tell them apart. */
export const importReferrals: ImportHandler<ReferralImportRow> = async (context, rows) => {
  const { manager, organizationId } = context;
  const outcomes = new Outcomes(rows);
  const payloads = rows.map(({ payload }) => payload);
  const referrers: { programId: string; id: string | null; code: string | null }[] = await manager.query(
    REFERRERS,
    [
      organizationId,
      payloads.map(({ referralProgramId }) => referralProgramId),
      payloads.map(({ generatedReferralCode }) => generatedReferralCode),
    ],
  );
  const programs = new Set(referrers.map(({ programId }) => programId));
  const referrerIds = new Map(referrers.map(({ programId, code, id }) => [`${programId}/${code}`, id]));
  const referrerOf = ({ referralProgramId, generatedReferralCode }: ReferralImportRow) =>
    referrerIds.get(`${referralProgramId}/${generatedReferralCode}`) ?? undefined;
  const find = await lockBookings(context, payloads.map(nameOf));
  const bookingOf = (payload: ReferralImportRow): KnownBooking | undefined => find(nameOf(payload));

  const bookingIds = payloads.flatMap((payload) => bookingOf(payload)?.id ?? []);
  const existing: { id: string; referrerId: string; bookingId: string }[] = await manager.query(EXISTING, [
    organizationId,
    bookingIds,
  ]);
  const known = new Map(existing.map(({ id, referrerId, bookingId }) => [`${referrerId}/${bookingId}`, id]));
  const entries: { bookingId: string; id: string }[] = await manager.query(ENTRIES, [
    organizationId,
    bookingIds,
  ]);
  const entryOf = new Map(entries.map(({ bookingId, id }) => [bookingId, id]));

  outcomes.refuse((payload) => {
    if (!programs.has(payload.referralProgramId)) {
      return problem('REFERRAL_PROGRAM_NOT_FOUND', 'referralProgramId names no program of yours');
    }
    if (!referrerOf(payload))
      return problem('REFERRER_NOT_FOUND', 'generatedReferralCode is no code of the program');
    const booking = bookingOf(payload);
    if (!booking || !entryOf.has(booking.id)) {
      return problem(
        'BOOKING_NOT_FOUND',
        'referredBookingId or referredExternalBookingId names no booking of yours',
      );
    }
    return undefined;
  });
  const made: (Record<keyof typeof REFERRALS, unknown> & { code: string })[] = [];
  for (const { row, payload } of outcomes.open) {
    const booking = bookingOf(payload) as KnownBooking;
    const key = `${referrerOf(payload)}/${booking.id}`;
    const referralId = known.get(key);
    if (referralId) {
      outcomes.settle(succeeded(row, 'ALREADY_IMPORTED', { referralId }));
    } else if (booking.status === 'CANCELLED') {
      outcomes.settle(failed(row, problem('BOOKING_CANCELLED', 'The referred booking is cancelled')));
    } else {
      const id = newId();
      // The same booking under its two names is one referral.
      known.set(key, id);
      outcomes.settle(succeeded(row, 'IMPORTED', { referralId: id }));
      made.push({
        organization_id: organizationId,
        id,
        referrer_id: referrerOf(payload),
        referred_booking_id: booking.id,
        start_list_entry_id: entryOf.get(booking.id),
        event_id: booking.eventId,
        event_occurrence_id: booking.eventOccurrenceId,
        status: payload.status ?? 'ELIGIBLE',
        code: payload.generatedReferralCode,
      });
    }
  }
  await insertRows(manager, 'referrals', REFERRALS, made);
  const used = made.map(({ referred_booking_id, code }) => ({ booking_id: referred_booking_id, code }));
  await manager.query(USED, [organizationId, JSON.stringify(used)]);
  return outcomes.all();
};

const nameOf = ({ referredBookingId, referredExternalBookingId }: ReferralImportRow) => ({
  bookingId: referredBookingId,
  externalBookingId: referredExternalBookingId,
});
