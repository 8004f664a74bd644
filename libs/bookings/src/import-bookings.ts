import type { Booking } from '#libs/database';
import { type Basket, DiscountUses } from '#libs/discounts';
import type { ImportHandler } from '#libs/import-rows';
import { failed, Outcomes, problem, succeeded } from '#libs/import-rows';
import { instantOf } from '#libs/input';
import { appear, claimedAt, lockRacesOfBibs, logBibs, takenBibs, teamsByName } from '#libs/start-list';
import { BookingReferences } from './booking-references';
import type { BookingImportRow } from './booking-row.dto';
import { insertStartList } from './insert-start-list';
import { NewStartList, type ReportedBooking } from './new-start-list';
import { currencyOf, type EntryPrice } from './prices';

/** The booking that an id belongs to; with $3 also the last cancelled one that it belonged to. */
const EXISTING = /* sql */ `
  SELECT DISTINCT ON (b.external_booking_id) b.external_booking_id AS "externalBookingId", b.id AS "bookingId", b.status,
    array(SELECT e.participant_id FROM start_list_entries e
      WHERE e.organization_id = b.organization_id AND e.booking_id = b.id ORDER BY e.participant_index) AS "participantIds"
  FROM bookings b
  WHERE b.organization_id = $1 AND b.external_booking_id = ANY ($2) AND (b.status = 'CONFIRMED' OR $3)
  ORDER BY b.external_booking_id, b.status = 'CONFIRMED' DESC, b.created_at DESC, b.id DESC
`;

/** Imports bookings that were sold elsewhere. Capacities, sale dates and required answers do not apply, but entries are counted. */
export const importBookings: ImportHandler<BookingImportRow> = async (context, rows) => {
  const outcomes = new Outcomes(rows);
  const payloads = rows.map(({ payload }) => payload);
  const references = await BookingReferences.of(context, payloads);
  // Locks codes and bibs before reading existing bookings: if another job imports the same row meanwhile, its booking
  // is found as existing, instead of its bib or use of a code causing a conflict.
  const discounts = await DiscountUses.lock(
    context,
    payloads.map(({ discountCode }) => discountCode),
  );
  await lockRacesOfBibs(
    context,
    payloads.flatMap((payload) => references.bibsOf(payload)),
  );
  const existing: (ReportedBooking & Pick<Booking, 'status'>)[] = await context.manager.query(EXISTING, [
    context.organizationId,
    payloads.map(({ externalBookingId }) => externalBookingId),
    context.skipCancelled,
  ]);
  const byExternalId = new Map(existing.map((booking) => [booking.externalBookingId, booking]));
  for (const { row, payload } of outcomes.open) {
    const known = byExternalId.get(payload.externalBookingId);
    if (!known) continue;
    const { status, ...reported } = known;
    outcomes.settle(
      succeeded(row, status === 'CONFIRMED' ? 'ALREADY_IMPORTED' : 'CANCELLED_BEFORE', reported),
    );
  }

  outcomes.refuse((payload) => references.problemOf(payload));
  const taken = await takenBibs(
    context,
    outcomes.open.flatMap(({ payload }) => references.bibsOf(payload)),
  );
  const teams = await teamsByName(
    context,
    outcomes.open.flatMap(({ payload }) => references.teamsOf(payload)),
  );

  const at = await claimedAt(context);
  const made = new NewStartList(context, references, teams, at);
  for (const { row, payload } of outcomes.open) {
    // Bibs are the last check that can fail, so that a failed row takes neither uses nor bibs.
    const bibs = references.bibsOf(payload);
    const worn = bibs.find((bib) => taken.has(bib));
    if (worn) {
      outcomes.settle(
        failed(row, problem('BIB_NUMBER_TAKEN', `Bib ${worn.bibNumber} already has a holder in this race`)),
      );
      continue;
    }
    const prices = references.pricesOf(payload);
    const discount = payload.discountCode
      ? discounts.take(payload.discountCode, basketOf(payload, prices, at))
      : undefined;
    if (discount && 'message' in discount) {
      outcomes.settle(failed(row, discount));
      continue;
    }
    for (const bib of bibs) taken.add(bib);
    outcomes.settle(succeeded(row, 'IMPORTED', { ...made.add(row, payload, prices, discount) }));
  }
  await insertStartList(context, made);
  await logBibs(context, made.bibs, at);
  await appear(
    context,
    made.entries.map(({ participant_id }) => participant_id as string),
  );
  return outcomes.all();
};

const basketOf = (
  { eventOccurrenceId, bookedAt, participants, discountAlreadyApplied }: BookingImportRow,
  prices: EntryPrice[],
  now: string,
): Basket => ({
  eventOccurrenceId,
  at: (bookedAt && instantOf(bookedAt)) || now,
  currencyCode: currencyOf(prices),
  entries: participants.map(({ ticketId }, i) => ({ ticketId, price: prices[i]?.charged.value ?? 0 })),
  alreadyApplied: discountAlreadyApplied ?? participants.some(({ price }) => price != null),
});
