import { correctBookings, importBookings, inInstants, type StartListRow } from '#domain/bookings';
import {
  ChangedMeanwhile,
  type ImportContext,
  type ImportRow,
  Outcomes,
  type Problem,
  problem,
  type RowOutcome,
  succeeded,
} from '#platform/import-rows';
import { instantOf } from '#platform/validation';
import { OptIns } from './opt-ins';
import { ReferralCodes } from './referral-codes';

type Row = ImportRow<StartListRow>;

/**
 * Loads the rows of one chunk in the transaction of the context: corrects existing bookings, and imports the others.
 * Failed rows write nothing.
 */
export const loadChunk = (context: ImportContext, rows: Row[]): Promise<RowOutcome[]> =>
  inInstants(context, rows, (read) => load(context, read));

async function load(context: ImportContext, rows: Row[]): Promise<RowOutcome[]> {
  const outcomes = new Outcomes(rows);
  const payloads = rows.map(({ payload }) => payload);
  const optIns = await OptIns.of(context, payloads);
  const codes = await ReferralCodes.of(context, payloads);
  outcomes.refuse(
    (payload) => problemOfCreation(payload) ?? optIns.problemOf(payload) ?? codes.problemOf(payload),
  );
  // A referral can only be rejected after its booking exists, so what was written with it is rolled back.
  for (;;) {
    await context.manager.query('SAVEPOINT rows');
    const open = outcomes.open.map(({ row, payload }) => ({ row, payload: optIns.resolved(payload) }));
    const carried = context.carried?.fork();
    const { settled, failures } = await attempt({ ...context, carried }, open, codes);
    await context.manager.query(`${failures.length > 0 ? 'ROLLBACK TO' : 'RELEASE'} SAVEPOINT rows`);
    if (carried && failures.length === 0) context.carried?.keep(carried);
    for (const outcome of failures.length > 0 ? failures : settled) outcomes.settle(outcome);
    if (failures.length === 0) return outcomes.all();
  }
}

/** Of a time without a zone, only the occurrence tells the instant. */
const problemOfCreation = ({ createdAt }: StartListRow): Problem | undefined =>
  createdAt && (instantOf(createdAt) ?? '') > new Date().toISOString()
    ? problem('createdAt', 'OUT_OF_RANGE', 'must not be in the future')
    : undefined;

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
  const imported = made.length ? await importBookings({ ...context, skipCancelled: true }, made) : [];
  // Another transaction created a booking between the read and the write.
  if (imported.some(({ outcome }) => outcome === 'ALREADY_IMPORTED')) throw new ChangedMeanwhile();
  const settled = [...corrected.outcomes, ...imported];

  const payloads = new Map(rows.map(({ row, payload }) => [row, payload]));
  const { attributed, failures } = await codes.attribute(
    context,
    settled.flatMap(({ row_number: row, outcome, result }) =>
      outcome === 'FAILED' || outcome === 'CANCELLED_BEFORE'
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
