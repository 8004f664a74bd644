import { type FieldAnswer, newId } from '#libs/database';
import type { Taken } from '#libs/discounts';
import type { KnownTicket } from '#libs/events';
import type { ImportContext } from '#libs/import-rows';
import { compare, insertRows } from '#libs/import-rows';
import { giveReferralCodes } from '#libs/referrals';
import type { Amount } from './prices';

const BOOKINGS = {
  organization_id: 'uuid',
  id: 'uuid',
  external_booking_id: 'text',
  source: 'text',
  created_at: 'timestamptz',
  event_id: 'uuid',
  event_occurrence_id: 'uuid',
  transaction_id: 'uuid',
  booker_first_name: 'text',
  booker_last_name: 'text',
  booker_email: 'text',
  booker_phone: 'text',
  booker_type: 'text',
  partner_id: 'uuid',
  currency_code: 'text',
  total_value: 'bigint',
  discount_code_id: 'uuid',
  discount_uses: 'int',
  tracking: 'jsonb',
  booked_at: 'timestamptz',
} as const;

const ENTRIES = {
  organization_id: 'uuid',
  id: 'uuid',
  created_at: 'timestamptz',
  participant_id: 'uuid',
  participant_index: 'int',
  booking_id: 'uuid',
  event_id: 'uuid',
  event_occurrence_id: 'uuid',
  race_id: 'uuid',
  ticket_id: 'uuid',
  wave_id: 'uuid',
  team_id: 'uuid',
  team_roles: 'text[]',
  approval_status: 'text',
  application_resolution_type: 'text',
  ballot_draw: 'text',
  application_notes: 'text',
  participant_notes: 'text[]',
  fields: 'json',
  email_normalized: 'text',
  tags: 'text[]',
  original_price_value: 'bigint',
  original_price_currency: 'text',
  incremental: 'boolean',
  partner_id: 'uuid',
  reserved_entry_group_id: 'uuid',
  holds_reserved_place: 'boolean',
  takes_place: 'boolean',
  starts_unit: 'boolean',
  partner_marketing_opt_ins: 'jsonb',
  result_url: 'text',
  result_submitted_at: 'timestamptz',
  has_donated: 'boolean',
  bib_number: 'text',
  bib_claim: 'text',
  bib_changed_at: 'timestamptz',
  external_participant_id: 'text',
  external_assignment_id: 'text',
  metadata: 'jsonb',
} as const;

const LINE_ITEMS = {
  organization_id: 'uuid',
  id: 'uuid',
  booking_id: 'uuid',
  participant_id: 'uuid',
  item_type: 'text',
  name: 'text',
  item_id: 'text',
  item_selection_id: 'text',
  amount_value: 'bigint',
  currency_code: 'text',
  external_line_item_id: 'text',
} as const;

type Rows<Columns> = { [Column in Exclude<keyof Columns, 'organization_id'>]: unknown };
export type NewBooking = Rows<typeof BOOKINGS>;
export type NewEntry = Rows<typeof ENTRIES> & { fields: FieldAnswer[] };
export type NewLineItem = Rows<typeof LINE_ITEMS>;

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
  item_selection_id: null,
  amount_value: price.value,
  currency_code: price.currencyCode,
  external_line_item_id: null,
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
  item_selection_id: null,
  amount_value: -value,
  currency_code: currencyCode,
  external_line_item_id: null,
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
  await insertRows(manager, 'bookings', BOOKINGS, own(inOrder));
  const entriesInOrder = [...entries].sort((a, b) =>
    compare(a.external_assignment_id, b.external_assignment_id),
  );
  await insertRows(manager, 'start_list_entries', ENTRIES, own(entriesInOrder));
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
    'line_items',
    LINE_ITEMS,
    inOrder.map((row) => ({ ...row, organization_id: organizationId })),
  );
}
