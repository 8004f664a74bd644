import type { KnownTicket } from '#domain/catalogue';
import type { Taken } from '#domain/discounts';
import type { NewEntry } from '#domain/participants';
import { Booking, insertRows, LineItem, type NewRow, newId, StartListEntry } from '#platform/database';
import type { ImportContext } from '#platform/import-rows';
import { compare } from '#platform/import-rows';
import type { Amount } from './prices';
import { giveReferralCodes } from './referral-codes';

type Rows<Entity> = Omit<NewRow<Entity>, 'organization_id'>;
export type NewBooking = Rows<Booking> & { id: string; event_occurrence_id: string };
export type NewLineItem = Rows<LineItem>;

/** The platform's part of the metadata of an entry. Rows of files have no job, and no source unless they name one. */
export function startline(
  { jobId, source }: Pick<ImportContext, 'jobId' | 'source'>,
  row: number,
  sourcePlatform?: string | null,
): Record<string, unknown> {
  if (jobId === null) return sourcePlatform ? { source: sourcePlatform } : {};
  return { importJobId: jobId, importRow: row, source: sourcePlatform ?? source };
}

/** The line item of a participant's ticket. */
export const ticketLineItem = (
  bookingId: string,
  participantId: string,
  ticket: Pick<KnownTicket, 'id' | 'title'>,
  price: Amount,
): NewLineItem => ({
  id: newId(),
  booking_id: bookingId,
  participant_id: participantId,
  item_type: 'TICKET',
  name: ticket.title,
  item_id: ticket.id,
  amount_value: price.value,
  currency_code: price.currencyCode,
});

/** The line item of a discount, of a booking or of a participant. */
export const discountLineItem = (
  bookingId: string,
  participantId: string | null,
  { id, code }: Pick<Taken, 'id' | 'code'>,
  { value, currencyCode }: Amount,
): NewLineItem => ({
  id: newId(),
  booking_id: bookingId,
  participant_id: participantId,
  item_type: 'DISCOUNT',
  name: code,
  item_id: id,
  amount_value: -value,
  currency_code: currencyCode,
});

/** Bookings, their entries and line items, one statement each. Bookings of an occurrence with a referral program get a code. */
export async function insertStartList(
  { manager, organizationId }: ImportContext,
  { bookings, entries, lineItems }: { bookings: NewBooking[]; entries: NewEntry[]; lineItems: NewLineItem[] },
): Promise<void> {
  const own = <Row>(rows: Row[]) => rows.map((row) => ({ ...row, organization_id: organizationId }));
  const inOrder = [...bookings].sort((a, b) =>
    compare(a.external_booking_id ?? a.id, b.external_booking_id ?? b.id),
  );
  await insertRows(manager, Booking, own(inOrder));
  const entriesInOrder = [...entries].sort((a, b) =>
    compare(a.external_assignment_id, b.external_assignment_id),
  );
  await insertRows(manager, StartListEntry, own(entriesInOrder));
  await insertLineItems({ manager, organizationId }, lineItems);
  await giveReferralCodes(manager, organizationId, bookings);
}

export async function insertLineItems(
  { manager, organizationId }: Pick<ImportContext, 'manager' | 'organizationId'>,
  lineItems: NewLineItem[],
): Promise<void> {
  const inOrder = [...lineItems].sort((a, b) => compare(a.external_line_item_id, b.external_line_item_id));
  await insertRows(
    manager,
    LineItem,
    inOrder.map((row) => ({ ...row, organization_id: organizationId })),
  );
}
