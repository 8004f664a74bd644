import { exceededCredits } from '#domain/credits';
import { HAS_FREE_NAME } from '#domain/participants';
import { LineItem, newId, type Row, statement, updateRows } from '#platform/database';
import type { ImportContext, ImportHandler, ImportRow } from '#platform/import-rows';
import { Outcomes, type Problem, problem, succeeded, unchanged } from '#platform/import-rows';
import { insertLineItems } from './insert-start-list';
import type { LineItemImportRow } from './line-item-row.dto';
import { type KnownBooking, lockBookings, sumLineItems } from './lock-bookings';

const ITEM = {
  ...({ id: 'uuid', externalId: 'text!', bookingId: 'uuid', participantId: 'uuid?' } as const),
  ...({ itemType: 'text', itemId: 'text?', value: 'bigint', currencyCode: 'text' } as const),
};
const ITEM_COLUMNS = `id, external_line_item_id AS "externalId", booking_id AS "bookingId", participant_id AS "participantId",
      item_type AS "itemType", item_id AS "itemId", amount_value AS value, currency_code AS "currencyCode"`;

const EXISTING = statement({
  parameters: ['uuid', 'text[]'],
  columns: ITEM,
  sql: `
    SELECT ${ITEM_COLUMNS} FROM line_items
    WHERE organization_id = $1 AND external_line_item_id = ANY ($2) AND released_at IS NULL ORDER BY id
  `,
});

/** Cancelling a booking frees the ids of its refunds as well, but what it paid back already is the same refund. */
const REFUNDS_OF_CANCELLED = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  columns: ITEM,
  sql: `
    SELECT ${ITEM_COLUMNS} FROM line_items
    WHERE organization_id = $1 AND booking_id = ANY ($2) AND external_line_item_id = ANY ($3) AND item_type = 'REFUND' AND released_at IS NOT NULL
  `,
});

const PARTICIPANTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', bookingId: 'uuid' },
  sql: `
    SELECT participant_id AS id, booking_id AS "bookingId" FROM start_list_entries
    WHERE organization_id = $1 AND participant_id = ANY ($2)
  `,
});

/** What was queued, or is sent again, must not bring free text of a redacted participant or booker back. */
const REDACTED = statement({
  parameters: ['uuid', 'jsonb'],
  columns: { id: 'uuid!' },
  sql: `
    SELECT l.id FROM (SELECT $1::uuid AS organization_id, x.* FROM jsonb_to_recordset($2::jsonb)
      AS x (id uuid, booking_id uuid, participant_id uuid, item_type text, name text)) l
    JOIN bookings b ON b.organization_id = l.organization_id AND b.id = l.booking_id
    WHERE CASE WHEN l.participant_id IS NULL THEN b.booker_email IS NULL
        ELSE EXISTS (SELECT FROM start_list_entries e
          WHERE e.organization_id = l.organization_id AND e.participant_id = l.participant_id AND e.gdpr_redacted) END
      AND ${HAS_FREE_NAME}
  `,
});

const FORGET_ROWS = statement({
  parameters: ['uuid', 'uuid?', 'int[]'],
  sql: `UPDATE import_rows SET payload = '{}' WHERE organization_id = $1 AND job_id = $2 AND row_number = ANY ($3)`,
});

/** Also where the ticket does not ask, which does not show it: the ticket can ask later, or the entry move to one that does. */
const DONATED = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    UPDATE start_list_entries e SET has_donated = d.donated
    FROM (SELECT x.organization_id, x.id, EXISTS (SELECT FROM line_items l
        WHERE l.organization_id = x.organization_id AND l.booking_id = x.booking_id
          AND l.participant_id = x.participant_id AND l.item_type = 'DONATION' AND l.amount_value > 0) AS donated
      FROM start_list_entries x WHERE x.organization_id = $1 AND x.participant_id = ANY ($2)) d
    WHERE e.organization_id = d.organization_id AND e.id = d.id AND coalesce(e.has_donated, false) <> d.donated
  `,
});

/** The bookings of which more was refunded than was paid. An add-on that was refunded or cancelled was paid. */
const OVER_REFUNDED = statement({
  parameters: ['uuid', 'uuid[]', 'bigint[]'],
  columns: { id: 'uuid', by: 'text', currencyCode: 'text!' },
  sql: `
    SELECT b.id, to_char(-s.rest / 100.0, 'FM9999999999999990.00') AS by, b.currency_code AS "currencyCode"
    FROM unnest($2::uuid[], $3::bigint[]) before (id, amount) JOIN bookings b ON b.organization_id = $1 AND b.id = before.id
    CROSS JOIN LATERAL (SELECT before.amount + sum(i.amount_value) AS rest FROM line_items i
      WHERE i.organization_id = b.organization_id AND i.booking_id = b.id AND NOT EXISTS (SELECT FROM add_on_allocations a
        WHERE a.organization_id = i.organization_id AND a.booking_id = i.booking_id AND a.purchase_line_item_id = i.id
          AND a.financial_status = 'UNPAID')) s
    WHERE s.rest < 0
  `,
});

type Existing = Row<typeof EXISTING>;

/** Imports amounts of bookings and updates their totals. */
export const importLineItems: ImportHandler<LineItemImportRow> = async (context, rows) => {
  const { manager, organizationId, mode } = context;
  const outcomes = new Outcomes(rows);
  const readStored = () =>
    EXISTING.rows(manager, [organizationId, rows.map(({ payload }) => payload.externalLineItemId)]);
  const stored = await readStored();
  const existing: Existing[] = [...stored];
  const byExternalId = new Map(existing.map((item) => [item.externalId, item]));
  const settleKnown = () => {
    if (mode !== 'CREATE') return;
    for (const { row, payload } of outcomes.open) {
      const known = byExternalId.get(payload.externalLineItemId);
      if (known) outcomes.settle(succeeded(row, 'ALREADY_IMPORTED', reported(payload, known.id)));
    }
  };
  settleKnown();
  // A replaced line item can move from another booking, whose total then changes as well.
  const bookingOf = await lockBookings(context, [
    ...outcomes.open.map(({ payload }) => payload),
    ...existing.map(({ bookingId }) => ({ bookingId })),
  ]);
  await unchanged(stored, readStored);
  for (const item of await refundsOfCancelled(context, outcomes.open, bookingOf)) {
    existing.push(item);
    byExternalId.set(item.externalId, item);
  }
  settleKnown();
  const participants = await bookingsOfParticipants(
    context,
    outcomes.open.map(({ payload }) => payload),
  );
  const currencies = await carriedCurrencies(
    context,
    outcomes.open.map(({ payload }) => bookingOf(payload)),
  );
  outcomes.refuse(
    (payload) => problemOfSign(payload) ?? problemOf(payload, bookingOf(payload), participants, currencies),
  );
  carryCurrencies(context, currencies);

  const written = outcomes.open;
  const items = written.map(({ row, payload }) => {
    const known = byExternalId.get(payload.externalLineItemId);
    const id = known?.id ?? newId();
    outcomes.settle(succeeded(row, known ? 'UPDATED' : 'IMPORTED', reported(payload, id)));
    return itemOf(payload, id, (bookingOf(payload) as KnownBooking).id);
  });
  const redacted = await REDACTED.rows(manager, [organizationId, JSON.stringify(items)]);
  const isRedacted = new Set(redacted.map(({ id }) => id));
  const forgotten = written.filter((_, i) => isRedacted.has((items[i] as (typeof items)[number]).id));
  if (forgotten.length > 0)
    await FORGET_ROWS.run(manager, [organizationId, context.jobId, forgotten.map(({ row }) => row)]);
  for (const item of items) if (isRedacted.has(item.id)) item.name = item.item_type;
  const isKnown = (item: (typeof items)[number]) => byExternalId.has(item.external_line_item_id);
  await insertLineItems(
    context,
    items.filter((item) => !isKnown(item)),
  );
  await updateRows(manager, organizationId, LineItem, items.filter(isKnown));
  await sumLineItems(context, [
    ...items.map((item) => item.booking_id),
    ...existing.map(({ bookingId }) => bookingId),
  ]);
  const charged = [
    ...items.map((item) => item.participant_id),
    ...existing.map(({ participantId }) => participantId),
  ];
  await haveDonated(context, charged);
  const replacing = new Set(items.map((item) => item.external_line_item_id));
  const changes = [
    ...items.map((item) => ({
      ...{ bookingId: item.booking_id, itemType: item.item_type, itemId: item.item_id },
      ...{ value: item.amount_value, currencyCode: item.currency_code },
    })),
    ...existing
      .filter((item) => replacing.has(item.externalId) && byExternalId.get(item.externalId) === item)
      .map((item) => ({ ...item, value: -Number(item.value) })),
  ];
  await warn(context, outcomes, written, bookingOf, changes);
  return outcomes.all();
};

async function refundsOfCancelled(
  { manager, organizationId }: ImportContext,
  rows: readonly ImportRow<LineItemImportRow>[],
  bookingOf: (payload: LineItemImportRow) => KnownBooking | undefined,
): Promise<Existing[]> {
  const wanted = new Map<string, string>();
  for (const { payload } of rows) {
    const booking = payload.itemType === 'REFUND' ? bookingOf(payload) : undefined;
    if (booking?.status === 'CANCELLED') wanted.set(payload.externalLineItemId, booking.id);
  }
  if (wanted.size === 0) return [];
  const of = [organizationId, [...wanted.values()], [...wanted.keys()]] as const;
  const found = await REFUNDS_OF_CANCELLED.rows(manager, of);
  return found.filter(({ externalId, bookingId }) => wanted.get(externalId) === bookingId);
}

/** What a chunk adds to the sum of a booking, and with type `CREDIT` to that of the credit that `itemId` names. */
interface Change {
  bookingId: string;
  itemType: string;
  itemId: string | null;
  value: number;
  currencyCode: string;
}

/** Warns about refunds beyond what was paid, and credits spent beyond their amount. */
async function warn(
  context: ImportContext,
  outcomes: Outcomes<LineItemImportRow>,
  written: ImportRow<LineItemImportRow>[],
  bookingOf: (payload: LineItemImportRow) => KnownBooking | undefined,
  changes: Change[],
): Promise<void> {
  const { manager, organizationId, carried } = context;
  const paidBefore = await carried?.get<number>(
    'paid',
    changes.map(({ bookingId }) => bookingId),
  );
  for (const { bookingId, value } of changes) carried?.add('paid', bookingId, value);
  const refunds = written.filter(({ payload }) => payload.itemType === 'REFUND');
  const refunded = refunds.map(({ payload }) => (bookingOf(payload) as KnownBooking).id);
  const bookingIds = [...new Set(refunded)];
  const over =
    bookingIds.length > 0
      ? await OVER_REFUNDED.rows(manager, [
          organizationId,
          bookingIds,
          bookingIds.map((id) => paidBefore?.get(id) ?? 0),
        ])
      : [];
  const overRefunded = new Map(over.map((row) => [row.id, row]));
  for (const [index, { row }] of refunds.entries()) {
    const found = overRefunded.get(refunded[index] as string);
    if (!found) continue;
    const message = `The refunds of the booking exceed what was paid for it by ${found.by} ${found.currencyCode}. Check its line items.`;
    outcomes.warn(row, { path: 'amount.value', code: 'REFUND_EXCEEDS_PAID', message });
  }
  const credits = written.filter(({ payload }) => payload.itemType === 'CREDIT');
  const exceeded = await exceededCredits(
    context,
    credits.flatMap(({ payload }) => payload.itemId ?? []),
    changes.flatMap(({ itemType, itemId, ...spent }) =>
      itemType === 'CREDIT' && itemId ? { ...spent, name: itemId } : [],
    ),
  );
  for (const { row, payload } of credits) {
    const warning = exceeded.get(payload.itemId ?? '');
    if (warning) outcomes.warn(row, warning);
  }
}

/** Updates whether these participants have donated, from their current line items. */
export async function haveDonated(
  { manager, organizationId }: ImportContext,
  participantIds: readonly (string | null)[],
): Promise<void> {
  const ids = participantIds.filter((id) => id !== null);
  if (ids.length > 0) await DONATED.run(manager, [organizationId, ids]);
}

const reported = ({ externalLineItemId }: LineItemImportRow, lineItemId: string) => ({
  externalLineItemId,
  lineItemId,
});

const itemOf = (payload: LineItemImportRow, id: string, bookingId: string) => ({
  id,
  booking_id: bookingId,
  participant_id: payload.participantId ?? null,
  item_type: payload.itemType,
  name: payload.name,
  item_id: payload.itemId ?? null,
  item_selection_id: payload.itemSelectionId ?? null,
  amount_value: payload.amount.value,
  currency_code: payload.amount.currencyCode,
  external_line_item_id: payload.externalLineItemId,
});

async function bookingsOfParticipants(
  { manager, organizationId }: ImportContext,
  payloads: LineItemImportRow[],
): Promise<Map<string, string>> {
  const ids = payloads.flatMap(({ participantId }) => participantId ?? []);
  const rows: { id: string; bookingId: string }[] = ids.length
    ? await PARTICIPANTS.rows(manager, [organizationId, ids])
    : [];
  return new Map(rows.map(({ id, bookingId }) => [id, bookingId]));
}

/** The currencies that earlier chunks of a dry run gave to free bookings, by booking. */
export async function carriedCurrencies(
  { carried }: ImportContext,
  bookings: (KnownBooking | undefined)[],
): Promise<Map<string, string>> {
  const free = bookings.flatMap((booking) => (booking?.currencyCode === 'ZERO' ? booking.id : []));
  return (await carried?.get<string>('currency', free)) ?? new Map();
}

export function carryCurrencies({ carried }: ImportContext, currencies: Map<string, string>): void {
  for (const [bookingId, currency] of currencies) carried?.set('currency', bookingId, currency);
}

/** The signs that an amount can have: 1, -1, or either. A change to a cheaper ticket is a negative `TICKET`. */
const SIGNS: Record<LineItemImportRow['itemType'], 1 | -1 | 0> = {
  ...({ TICKET: 0, ADD_ON: 1, DONATION: 1, BOOKING_FEE: 1 } as const),
  ...({ DISCOUNT: -1, CREDIT: -1, REFUND: -1 } as const),
};

function problemOfSign({ itemType, amount }: LineItemImportRow): Problem | undefined {
  if (amount.value * SIGNS[itemType] >= 0) return undefined;
  const rule = `of ${itemType} must be ${amount.value < 0 ? '0 or more' : '0 or less: it is deducted from the total'}`;
  return problem('amount.value', 'INVALID_SIGN', rule);
}

/** @param currencies by booking; a free booking takes the currency of its first amount */
export function problemOf(
  {
    participantId,
    amount,
    itemType,
  }: Pick<LineItemImportRow, 'participantId' | 'amount'> & { itemType?: string },
  booking: KnownBooking | undefined,
  participants: Map<string, string>,
  currencies: Map<string, string>,
): Problem | undefined {
  if (!booking)
    return problem(
      '',
      'BOOKING_NOT_FOUND',
      'is not a booking of your organization',
      'bookingId or externalBookingId',
    );
  // What was paid for a cancelled booking is paid back afterwards.
  if (booking.status === 'CANCELLED' && itemType !== 'REFUND')
    return problem('', 'BOOKING_CANCELLED', 'The booking is cancelled');
  if (participantId && participants.get(participantId) !== booking.id) {
    return problem('participantId', 'PARTICIPANT_NOT_FOUND', 'is not a participant of the booking');
  }
  const own = booking.currencyCode === 'ZERO' ? currencies.get(booking.id) : booking.currencyCode;
  const { currencyCode, value } = amount;
  if (currencyCode === 'ZERO' ? value !== 0 : own !== undefined && own !== currencyCode) {
    return problem(
      'amount',
      'CURRENCY_MISMATCH',
      `is in ${currencyCode}, but the booking is in ${own ?? booking.currencyCode}`,
      'The amount',
    );
  }
  if (currencyCode !== 'ZERO') currencies.set(booking.id, currencyCode);
  return undefined;
}
