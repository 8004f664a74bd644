import { correctBookings, importBookings, type StartListRow } from '#libs/bookings';
import { type ImportContext, type ImportRow, Outcomes, type RowOutcome, succeeded } from '#libs/import-rows';
import { OptIns } from './opt-ins';
import { ReferralCodes } from './referral-codes';

type Row = ImportRow<StartListRow>;

/** The row's booking was cancelled: a file doesn't bring it back. */
export type LoadedRow = RowOutcome | { row_number: number; outcome: 'CANCELLED_BEFORE' };

const CANCELLED = /* sql */ `
  SELECT DISTINCT b.external_booking_id AS id FROM bookings b
  WHERE b.organization_id = $1 AND b.external_booking_id = ANY ($2) AND b.status = 'CANCELLED'
    AND NOT EXISTS (SELECT FROM bookings live WHERE live.organization_id = b.organization_id
      AND live.external_booking_id = b.external_booking_id AND live.status = 'CONFIRMED')
`;

/** Ids that only a cancelled booking has. */
async function cancelledOf({ manager, organizationId }: ImportContext, rows: Row[]): Promise<Set<string>> {
  const ids = rows.map(({ payload }) => payload.externalBookingId);
  const found: { id: string }[] = await manager.query(CANCELLED, [organizationId, ids]);
  return new Set(found.map(({ id }) => id));
}

/** Another writer brought a booking between our look and our write: the same rows again will find it. */
class ChangedMeanwhile extends Error {
  readonly code = '40001';
}

/**
 * Loads the rows of one chunk in the transaction of the context: corrects the bookings that are there, and imports the
 * others. Rows that fail leave nothing behind.
 */
export async function loadChunk(context: ImportContext, rows: Row[]): Promise<LoadedRow[]> {
  const cancelled = await cancelledOf(context, rows);
  const outcomes = new Outcomes(rows.filter(({ payload }) => !cancelled.has(payload.externalBookingId)));
  const payloads = outcomes.open.map(({ payload }) => payload);
  const optIns = await OptIns.of(context, payloads);
  const codes = await ReferralCodes.of(context, payloads);
  outcomes.refuse((payload) => optIns.problemOf(payload) ?? codes.problemOf(payload));
  // A referral can only be refused once its booking is there. What was written with it is then undone.
  for (;;) {
    await context.manager.query('SAVEPOINT rows');
    const open = outcomes.open.map(({ row, payload }) => ({ row, payload: optIns.resolved(payload) }));
    const { settled, failures } = await attempt(context, open, codes);
    await context.manager.query(`${failures.length > 0 ? 'ROLLBACK TO' : 'RELEASE'} SAVEPOINT rows`);
    for (const outcome of failures.length > 0 ? failures : settled) outcomes.settle(outcome);
    if (failures.length === 0) {
      const left = rows.filter(({ payload }) => cancelled.has(payload.externalBookingId));
      return [
        ...outcomes.all(),
        ...left.map(({ row }) => ({ row_number: row, outcome: 'CANCELLED_BEFORE' as const })),
      ];
    }
  }
}

async function attempt(
  context: ImportContext,
  rows: Row[],
  codes: ReferralCodes,
): Promise<{ settled: RowOutcome[]; failures: RowOutcome[] }> {
  const corrected = await correctBookings(context, rows);
  const made = corrected.unknown.map(({ row, payload }) => ({
    row,
    payload: { ...payload, source: payload.source ?? ('WEBSITE' as const) },
  }));
  const imported = made.length ? await importBookings(context, made) : [];
  if (imported.some(({ outcome }) => outcome === 'ALREADY_IMPORTED')) throw new ChangedMeanwhile();
  const settled = [...corrected.outcomes, ...imported];

  const payloads = new Map(rows.map(({ row, payload }) => [row, payload]));
  const { attributed, failures } = await codes.attribute(
    context,
    settled.flatMap(({ row_number: row, outcome, result }) =>
      outcome === 'FAILED'
        ? []
        : [{ row, payload: payloads.get(row) as StartListRow, bookingId: result?.bookingId as string }],
    ),
  );
  return {
    settled: settled.map((each) =>
      attributed.has(each.row_number) && each.outcome === 'ALREADY_IMPORTED'
        ? succeeded(each.row_number, 'UPDATED', { ...each.result, differs: ['referralCode'] })
        : each,
    ),
    failures,
  };
}
