import { type Basket, DiscountUses } from '#domain/discounts';
import {
  appear,
  Bibs,
  bibTaken,
  claimedAt,
  duplicateWarnings,
  lockRacesOfBibs,
  logBibs,
  placed,
  takenBibs,
  teamsByName,
} from '#domain/participants';
import { type Booking, statement, typed } from '#platform/database';
import type { ImportContext, ImportHandler, ImportRow, RowOutcome } from '#platform/import-rows';
import { ChangedMeanwhile, failed, Outcomes, problem, succeeded } from '#platform/import-rows';
import { instantOf } from '#platform/validation';
import { BookingReferences } from './booking-references';
import type { BookingImportRow } from './booking-row.dto';
import { correctBookings, differencesOf } from './correct-bookings';
import { insertStartList } from './insert-start-list';
import { inInstants } from './local-times';
import { NewStartList } from './new-start-list';
import { currencyOf, type EntryPrice } from './prices';
import { storedBookings } from './stored-bookings';

/**
 * The booking that has an external id; with $3 also the latest cancelled one that had it. One by one, because PostgreSQL reads all
 * bookings of an organization that the statistics do not know yet rather than look up a thousand.
 */
const EXISTING = statement({
  parameters: ['uuid', 'text[]', 'boolean'],
  columns: {
    externalBookingId: 'text!',
    bookingId: 'uuid',
    status: typed<Booking['status']>('text'),
    participantIds: 'uuid[]',
  },
  sql: `
    SELECT given.id AS "externalBookingId", b.id AS "bookingId", b.status,
      array(SELECT e.participant_id FROM start_list_entries e
        WHERE e.organization_id = $1 AND e.booking_id = b.id ORDER BY e.participant_index) AS "participantIds"
    FROM unnest($2::text[]) given (id) CROSS JOIN LATERAL (
      SELECT id, status FROM bookings
      WHERE organization_id = $1 AND external_booking_id = given.id AND (status = 'CONFIRMED' OR $3)
      ORDER BY status = 'CONFIRMED' DESC, created_at DESC, id DESC LIMIT 1
    ) b
  `,
});

/** Imports bookings that were sold elsewhere. Capacities, sale dates and required answers do not apply, but entries are counted. */
export const importBookings: ImportHandler<BookingImportRow> = (context, given) =>
  inInstants(context, given, (rows) =>
    context.mode === 'CREATE' ? createBookings(context, rows) : correctOrCreate(context, rows),
  );

const createBookings: ImportHandler<BookingImportRow> = async (context, rows) => {
  const outcomes = new Outcomes(rows);
  const payloads = rows.map(({ payload }) => payload);
  const references = await BookingReferences.of(context, payloads);
  const bibsOf = (payload: BookingImportRow) => references.ofParticipants.bibsOf(placed(payload));
  // Locks codes and bibs before reading existing bookings: if another job imports the same row meanwhile, its booking
  // is found as existing, instead of its bib or use of a code causing a conflict.
  const discounts = await DiscountUses.lock(
    context,
    payloads.map(({ discountCode }) => discountCode),
  );
  await lockRacesOfBibs(
    context,
    payloads.flatMap((payload) => bibsOf(payload).map(({ raceId }) => raceId)),
  );
  const existing = await EXISTING.rows(context.manager, [
    context.organizationId,
    payloads.map(({ externalBookingId }) => externalBookingId),
    context.skipCancelled,
  ]);
  const byExternalId = new Map(existing.map((booking) => [booking.externalBookingId, booking]));
  const differences = await differencesOf(
    context,
    outcomes.open.filter(
      ({ payload }) => byExternalId.get(payload.externalBookingId)?.status === 'CONFIRMED',
    ),
    references,
  );
  for (const { row, payload } of outcomes.open) {
    const known = byExternalId.get(payload.externalBookingId);
    if (!known) continue;
    const { status, ...reported } = known;
    const difference = differences.get(payload.externalBookingId) ?? { differs: [] };
    outcomes.settle(
      status === 'CONFIRMED'
        ? succeeded(row, 'ALREADY_IMPORTED', { ...reported, ...difference })
        : succeeded(row, 'CANCELLED_BEFORE', reported),
    );
  }

  outcomes.refuse((payload) => references.problemOf(payload) ?? references.problemOfSize(payload));
  const taken = await takenBibs(
    context,
    outcomes.open.flatMap(({ payload }) => bibsOf(payload)),
  );
  const teams = await teamsByName(
    context,
    outcomes.open.flatMap(({ payload }) =>
      references.ofParticipants.teamsOf(payload.eventOccurrenceId, payload.participants),
    ),
  );

  const at = await claimedAt(context);
  const made = new NewStartList(context, references, teams, at);
  const madeIn = new Map<string, { row: number; path: string }>();
  for (const { row, payload } of outcomes.open) {
    // Bibs are the last check that can fail, so that a failed row takes neither uses nor bibs.
    const bibs = bibsOf(payload);
    const worn = bibs.find((bib) => taken.has(bib));
    if (worn) {
      outcomes.settle(failed(row, bibTaken(worn)));
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
    const booking = made.add(row, payload, prices, discount);
    for (const [i, id] of booking.participantIds.entries())
      madeIn.set(id, { row, path: `participants[${i}]` });
    outcomes.settle(succeeded(row, 'IMPORTED', { ...booking }));
  }
  await insertStartList(context, made);
  await logBibs(context, made.bibs, at);
  await appear(
    context,
    made.entries.map(({ participant_id }) => participant_id as string),
  );
  for (const { row, warning } of await duplicateWarnings(context, madeIn)) outcomes.warn(row, warning);
  return outcomes.all();
};

/** Corrects existing bookings. Rows without one are imported with `UPSERT`, and fail with `UPDATE`. */
const correctOrCreate: ImportHandler<BookingImportRow> = async (context, rows) => {
  if (context.mode !== 'UPSERT') return correctThenCreate(context, rows);
  const outcomes: RowOutcome[] = [];
  for (const run of await lockedInRuns(context, rows))
    outcomes.push(...(await correctThenCreate(context, run)));
  return outcomes;
};

const correctThenCreate: ImportHandler<BookingImportRow> = async (context, rows) => {
  const { outcomes, unknown } = await correctBookings(context, rows, { refusesRedacted: true });
  const corrected = outcomes.map(
    (each): RowOutcome => (each.outcome === 'ALREADY_IMPORTED' ? { ...each, outcome: 'UNCHANGED' } : each),
  );
  if (unknown.length === 0) return corrected;
  if (context.mode === 'UPSERT') {
    const imported = await createBookings(context, unknown);
    // Another job has imported a booking since it was looked for: it is corrected then.
    if (imported.some(({ outcome }) => outcome === 'ALREADY_IMPORTED')) throw new ChangedMeanwhile();
    return [...corrected, ...imported];
  }
  const existing = await EXISTING.rows(context.manager, [
    context.organizationId,
    unknown.map(({ payload }) => payload.externalBookingId),
    true,
  ]);
  const cancelled = new Map(
    existing.map(({ status, ...reported }) => [
      reported.externalBookingId,
      status === 'CANCELLED' && reported,
    ]),
  );
  const missing = unknown.map(({ row, payload }) => {
    const known = cancelled.get(payload.externalBookingId);
    if (known && context.skipCancelled) return succeeded(row, 'CANCELLED_BEFORE', known);
    return failed(
      row,
      known
        ? problem('externalBookingId', 'BOOKING_CANCELLED', 'is cancelled', 'The booking')
        : problem('externalBookingId', 'BOOKING_NOT_FOUND', 'is not a booking of your organization'),
    );
  });
  return [...corrected, ...missing];
};

/**
 * Takes the locks of corrections and of new bookings before either starts, in the order of all writers.
 *
 * @returns the rows in runs, in each of which corrections come first. A run ends before a row that wants a bib of a row of the other kind,
 * so that the earlier one gets it. Mostly it is one run
 */
async function lockedInRuns(
  context: ImportContext,
  rows: ImportRow<BookingImportRow>[],
): Promise<ImportRow<BookingImportRow>[][]> {
  const payloads = rows.map(({ payload }) => payload);
  const stored = await storedBookings(
    context,
    payloads.map(({ externalBookingId }) => externalBookingId),
  );
  await DiscountUses.lock(
    context,
    payloads.map(({ discountCode }) => discountCode),
  );
  const { ofParticipants } = await BookingReferences.of(context, payloads);
  await lockRacesOfBibs(
    context,
    payloads.flatMap((payload) => ofParticipants.racesOfBibs(placed(payload))),
  );
  const runs: (typeof rows)[] = [];
  let ended = true;
  let [ofKnown, ofNew] = [new Bibs([]), new Bibs([])];
  for (const row of rows) {
    const bibs = ofParticipants.bibsOf(placed(row.payload));
    const isKnown = stored.has(row.payload.externalBookingId);
    ended ||= bibs.some((bib) => (isKnown ? ofNew : ofKnown).has(bib));
    if (ended) {
      runs.push([]);
      [ofKnown, ofNew, ended] = [new Bibs([]), new Bibs([]), false];
    }
    runs.at(-1)?.push(row);
    for (const bib of bibs) (isKnown ? ofKnown : ofNew).add(bib);
  }
  return runs;
}

const basketOf = (
  { eventOccurrenceId, bookedAt, participants, discountAlreadyApplied }: BookingImportRow,
  prices: EntryPrice[],
  now: string,
): Basket => ({
  eventOccurrenceId,
  at: (bookedAt && instantOf(bookedAt)) || now,
  currencyCode: currencyOf(prices),
  entries: participants.map(({ ticketId }, i) => {
    const { charged, unit } = prices[i] as EntryPrice;
    return { ticketId, price: charged.value, unit };
  }),
  alreadyApplied: discountAlreadyApplied ?? participants.some(({ price }) => price != null),
});
