import { statement, typed } from '#platform/database';
import {
  failed,
  type ImportContext,
  type ImportHandler,
  type ImportRow,
  Outcomes,
  problem,
  type RowOutcome,
  succeeded,
} from '#platform/import-rows';
import { haveDonated } from './import-line-items';
import { lockBookings, sumLineItems } from './lock-bookings';

interface Undone {
  /** Deletes the record although another job has replaced it since. */
  evenIfChanged?: boolean;
}

/** Rows of jobs that undo an import. */
export interface UndoLineItemRow extends Undone {
  lineItemId: string;
}
export interface UndoAddOnRow extends Undone {
  allocationId: string;
}

/** A trigger sets `updated_at`, which only a later writer moves. */
const REPLACED = (...rows: string[]) =>
  `CASE WHEN ${rows.map((row) => `${row}.updated_at > ${row}.created_at`).join(' OR ')} THEN ARRAY['REPLACED'] ELSE '{}'::text[] END`;

/** What the cancellation of its booking took back. Refunds after it stay, and can be undone. */
const FINAL = (row: string) => `CASE WHEN ${row}.released_at IS NOT NULL THEN 'ALREADY_CANCELLED' END`;

/** A SELECT of the line item with an id, for statements of imports. One that is gone is not found. */
export const lineItemsToUndo = (organizationId: string, id: string) => /* sql */ `
  SELECT l.id, ${FINAL('l')} AS final, ${REPLACED('l')} AS changes, l.booking_id, l.participant_id, l.id AS line_item_id
  FROM line_items l WHERE l.organization_id = ${organizationId} AND l.id = ${id}`;

/** A SELECT of the allocation with an id, which has the line item that the import made with it. */
export const addOnsToUndo = (organizationId: string, id: string) => /* sql */ `
  SELECT a.id, ${FINAL('a')} AS final, ${REPLACED('a', 'l')} AS changes, a.booking_id, a.participant_id, l.id AS line_item_id
  FROM add_on_allocations a JOIN line_items l ON l.organization_id = a.organization_id AND l.id = a.purchase_line_item_id
  WHERE a.organization_id = ${organizationId} AND a.id = ${id}`;

const found = (select: (organizationId: string, id: string) => string) =>
  statement({
    parameters: ['uuid', 'uuid[]'],
    columns: {
      id: 'uuid',
      final: 'text?',
      changes: typed<string[]>('text[]'),
      bookingId: 'uuid',
      participantId: 'uuid?',
      lineItemId: 'uuid',
    },
    sql: `
      SELECT r.id, r.final, r.changes, r.booking_id AS "bookingId", r.participant_id AS "participantId", r.line_item_id AS "lineItemId"
      FROM unnest($2::uuid[]) given (id) CROSS JOIN LATERAL (${select('$1', 'given.id')}) r ORDER BY r.id
    `,
  });
const LINE_ITEMS = found(lineItemsToUndo);
const ADD_ONS = found(addOnsToUndo);

const DELETE_ADD_ONS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: 'DELETE FROM add_on_allocations WHERE organization_id = $1 AND id = ANY ($2)',
});

const DELETE_LINE_ITEMS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: 'DELETE FROM line_items WHERE organization_id = $1 AND id = ANY ($2)',
});

/** Deletes the line items of an import that no other job has replaced, and sums up their bookings. */
export const undoLineItems: ImportHandler<UndoLineItemRow> = (context, rows) =>
  undo(context, rows, { reads: LINE_ITEMS, name: 'lineItemId', what: 'line item' });

/** Deletes the add-ons of an import, with their line items. */
export const undoAddOns: ImportHandler<UndoAddOnRow> = (context, rows) =>
  undo(context, rows, { reads: ADD_ONS, name: 'allocationId', what: 'add-on' });

async function undo<Name extends 'lineItemId' | 'allocationId'>(
  context: ImportContext,
  rows: ImportRow<Undone & Record<Name, string>>[],
  { reads, name, what }: { reads: typeof LINE_ITEMS; name: Name; what: string },
): Promise<RowOutcome[]> {
  const { manager, organizationId } = context;
  const message = `Another job has replaced the ${what} since it was imported.`;
  const read = (ids: string[]) => reads.rows(manager, [organizationId, ids]);
  const { outcomes, deleted } = await undoRecords(context, rows, { read, name, message });
  if (deleted.length === 0) return outcomes;
  if (name === 'allocationId')
    await DELETE_ADD_ONS.run(manager, [organizationId, deleted.map(({ id }) => id)]);
  await DELETE_LINE_ITEMS.run(manager, [organizationId, deleted.map(({ lineItemId }) => lineItemId)]);
  const bookingIds = deleted.map(({ bookingId }) => bookingId);
  await sumLineItems(context, bookingIds, true);
  await haveDonated(
    context,
    deleted.map(({ participantId }) => participantId),
  );
  return outcomes;
}

/** A record of a booking, with the reasons why it can't be undone, and what happened to it since. */
interface UndoneRecord {
  id: string;
  bookingId: string;
  final: string | null;
  changes: string[];
}

/** Which records of an import are to be deleted: those that are there, and that no other job has changed. */
export async function undoRecords<Found extends UndoneRecord, Name extends string>(
  context: ImportContext,
  rows: ImportRow<Undone & Record<Name, string>>[],
  { read, name, message }: { read(ids: string[]): Promise<Found[]>; name: Name; message: string },
): Promise<{ outcomes: RowOutcome[]; deleted: Found[] }> {
  const outcomes = new Outcomes(rows);
  const ids = rows.map(({ payload }) => payload[name] as string);
  // As imports of them do, whose transactions lock the bookings that they are of before they write.
  await lockBookings(context, await read(ids));
  const byId = new Map((await read(ids)).map((each) => [each.id, each]));
  const deleted: Found[] = [];
  for (const { row, payload } of outcomes.open) {
    const record = byId.get(payload[name]);
    const isGone = !record || record.final !== null;
    if (!isGone && record.changes.length > 0 && !payload.evenIfChanged) {
      outcomes.settle(failed(row, problem('', 'CHANGED_SINCE_IMPORT', message)));
      continue;
    }
    if (!isGone) deleted.push(record);
    outcomes.settle(succeeded(row, isGone ? 'UNCHANGED' : 'CANCELLED', { [name]: payload[name] }));
  }
  return { outcomes: outcomes.all(), deleted };
}
