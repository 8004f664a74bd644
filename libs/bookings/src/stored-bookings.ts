import type { FieldAnswer, StartListEntry } from '#libs/database';
import type { Organization } from '#libs/import-rows';
import { instant } from '#libs/resources';

/** A stored booking that is not cancelled, under the names of its columns. */
export interface StoredBooking {
  id: string;
  external_booking_id: string;
  event_occurrence_id: string;
  created_at: string;
  source: string;
  transaction_id: string;
  booker_first_name: string | null;
  booker_last_name: string | null;
  /** Null after the booker is redacted. */
  booker_email: string | null;
  booker_phone: string | null;
  booker_type: string;
  partner_id: string | null;
  tracking: unknown;
  booked_at: string | null;
  discount_code: string | null;
}

export interface StoredEntry {
  id: string;
  booking_id: string;
  participant_id: string;
  participant_index: number;
  race_id: string;
  ticket_id: string;
  wave_id: string | null;
  team_id: string | null;
  team_roles: string[];
  approval_status: StartListEntry['approvalStatus'];
  application_resolution_type: string;
  ballot_draw: string | null;
  application_notes: string | null;
  participant_notes: string[];
  fields: FieldAnswer[];
  email_normalized: string | null;
  tags: string[];
  incremental: boolean;
  partner_id: string | null;
  partner_marketing_opt_ins: unknown;
  result_url: string | null;
  result_submitted_at: string | null;
  external_participant_id: string | null;
  metadata: Record<string, unknown>;
  bib_claim: string | null;
  bib_changed_at: string | null;
  team_name: string | null;
  starts_unit: boolean;
  gdpr_redacted: boolean;
  original_price: { value: number; currencyCode: string };
  /** The charge of the unit that starts with the entry; null if none does. */
  charged: { value: number; currencyCode: string } | null;
}

const BOOKINGS = /* sql */ `
  SELECT b.id, b.external_booking_id, b.event_occurrence_id, ${instant('b.created_at')} AS created_at, b.source, b.transaction_id,
    b.booker_first_name, b.booker_last_name, b.booker_email, b.booker_phone, b.booker_type, b.partner_id, b.tracking,
    ${instant('b.booked_at')} AS booked_at,
    (SELECT d.code FROM discount_codes d WHERE d.organization_id = b.organization_id AND d.id = b.discount_code_id) AS discount_code
  FROM bookings b
  WHERE b.organization_id = $1 AND b.status = 'CONFIRMED' AND
`;
const BY_EXTERNAL_ID = `${BOOKINGS} b.external_booking_id = ANY ($2) ORDER BY b.id`;
const LOCK_BOOKINGS = `${BY_EXTERNAL_ID} FOR UPDATE OF b`;
const LOCK_BOOKING = `${BOOKINGS} b.id = $2 FOR UPDATE OF b`;

const ENTRIES = /* sql */ `
  SELECT e.id, e.booking_id, e.participant_id, e.participant_index, e.race_id, e.ticket_id, e.wave_id, e.team_id, e.team_roles, e.approval_status,
    e.application_resolution_type, e.ballot_draw, e.application_notes, e.participant_notes, e.fields, e.email_normalized,
    e.tags, e.incremental, e.partner_id, e.partner_marketing_opt_ins, e.result_url,
    ${instant('e.result_submitted_at')} AS result_submitted_at, e.external_participant_id, e.metadata, e.bib_claim,
    ${instant('e.bib_changed_at')} AS bib_changed_at, e.starts_unit,
    (SELECT t.name FROM teams t WHERE t.organization_id = e.organization_id AND t.id = e.team_id) AS team_name,
    e.gdpr_redacted,
    json_build_object('value', e.original_price_value, 'currencyCode', e.original_price_currency) AS original_price,
    (SELECT json_build_object('value', l.amount_value, 'currencyCode', l.currency_code) FROM line_items l
      WHERE l.organization_id = e.organization_id AND l.booking_id = e.booking_id AND l.participant_id = e.participant_id
        AND l.item_type = 'TICKET' AND l.external_line_item_id IS NULL LIMIT 1) AS charged
  FROM start_list_entries e
  WHERE e.organization_id = $1 AND e.booking_id = ANY ($2)
  ORDER BY e.id
`;
const LOCK_ENTRIES = `${ENTRIES} FOR NO KEY UPDATE OF e`;

/**
 * The bookings with these external ids that are not cancelled, by external id. With `lock`, no one else can change
 * them until the transaction ends.
 */
export async function lockStoredBookings(
  { manager, organizationId }: Organization,
  externalIds: string[],
  { lock = true } = {},
): Promise<Map<string, StoredBooking>> {
  if (externalIds.length === 0) return new Map();
  const sql = lock ? LOCK_BOOKINGS : BY_EXTERNAL_ID;
  const rows: StoredBooking[] = await manager.query(sql, [organizationId, externalIds]);
  return new Map(rows.map((row) => [row.external_booking_id, row]));
}

/** The booking, locked. Undefined if it does not exist or is cancelled. */
export async function lockStoredBooking(
  { manager, organizationId }: Organization,
  id: string,
): Promise<StoredBooking | undefined> {
  const [booking] = await manager.query(LOCK_BOOKING, [organizationId, id]);
  return booking;
}

/**
 * Their entries, locked, by booking and in the order of the booking. The bibs of their races must be locked before.
 */
export async function lockStoredEntries(
  { manager, organizationId }: Organization,
  bookings: Iterable<StoredBooking>,
  { lock = true } = {},
): Promise<Map<string, StoredEntry[]>> {
  const bookingIds = [...bookings].map(({ id }) => id);
  const rows: StoredEntry[] = await manager.query(lock ? LOCK_ENTRIES : ENTRIES, [
    organizationId,
    bookingIds,
  ]);
  const entries = new Map<string, StoredEntry[]>(bookingIds.map((id) => [id, []]));
  rows.sort((a, b) => a.participant_index - b.participant_index);
  for (const row of rows) entries.get(row.booking_id)?.push(row);
  return entries;
}
