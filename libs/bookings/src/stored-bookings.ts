import { type FieldAnswer, type Row, type StartListEntry, statement, typed } from '#libs/database';
import type { Organization } from '#libs/import-rows';
import { instant } from '#libs/resources';
import type { StoredMetadata } from '#libs/start-list';

const BOOKING = {
  id: 'uuid',
  external_booking_id: 'text!',
  event_occurrence_id: 'uuid',
  created_at: 'text',
  source: 'text',
  transaction_id: 'uuid',
  booker_first_name: 'text?',
  booker_last_name: 'text?',
  booker_phone: 'text?',
  /** Null after the booker is redacted. */
  booker_email: 'text?',
  booker_type: 'text',
  partner_id: 'uuid?',
  tracking: 'jsonb',
  metadata: typed<Record<string, unknown> | null>('jsonb?'),
  booked_at: 'text?',
  discount_code: 'text?',
} as const;

const bookings = (which: string) => /* sql */ `
  SELECT b.id, b.external_booking_id, b.event_occurrence_id, ${instant('b.created_at')} AS created_at, b.source, b.transaction_id,
    b.booker_first_name, b.booker_last_name, b.booker_email, b.booker_phone, b.booker_type, b.partner_id, b.tracking, b.metadata,
    ${instant('b.booked_at')} AS booked_at,
    (SELECT d.code FROM discount_codes d WHERE d.organization_id = b.organization_id AND d.id = b.discount_code_id) AS discount_code
  FROM bookings b
  WHERE b.organization_id = $1 AND b.status = 'CONFIRMED' AND ${which}
`;
const BY_EXTERNAL_ID = statement({
  parameters: ['uuid', 'text[]'],
  columns: BOOKING,
  sql: bookings('b.external_booking_id = ANY ($2) ORDER BY b.id'),
});
const LOCK_BOOKINGS = statement({
  parameters: ['uuid', 'text[]'],
  columns: BOOKING,
  sql: bookings('b.external_booking_id = ANY ($2) ORDER BY b.id FOR UPDATE OF b'),
});
const LOCK_BOOKING = statement({
  parameters: ['uuid', 'uuid'],
  columns: BOOKING,
  sql: bookings('b.id = $2 FOR UPDATE OF b'),
});

/** A stored booking that is not cancelled, under the names of its columns. */
export type StoredBooking = Row<typeof BY_EXTERNAL_ID>;

interface Amount {
  value: number;
  currencyCode: string;
}

const ENTRY = {
  id: 'uuid',
  booking_id: 'uuid',
  participant_id: 'uuid',
  participant_index: 'int',
  race_id: 'uuid',
  ticket_id: 'uuid',
  wave_id: 'uuid?',
  team_id: 'uuid?',
  team_roles: 'text[]',
  team_name: 'text?',
  approval_status: typed<StartListEntry['approvalStatus']>('text'),
  application_resolution_type: 'text',
  ballot_draw: 'text?',
  application_notes: 'text?',
  participant_notes: 'text[]',
  email_normalized: 'text?',
  tags: 'text[]',
  incremental: 'boolean',
  fields: typed<FieldAnswer[]>('json'),
  partner_id: 'uuid?',
  partner_marketing_opt_ins: 'jsonb',
  result_url: 'text?',
  result_submitted_at: 'text?',
  external_participant_id: 'text?',
  bib_claim: 'text?',
  bib_changed_at: 'text?',
  starts_unit: 'boolean',
  metadata: typed<StoredMetadata>('jsonb'),
  gdpr_redacted: 'boolean',
  original_price: typed<Amount>('json'),
  /** The charge of the unit that starts with the entry; null if none does. */
  charged: typed<Amount | null>('json?'),
} as const;

const entries = (locking: string) => /* sql */ `
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
  ORDER BY e.id ${locking}
`;
const ENTRIES = statement({ parameters: ['uuid', 'uuid[]'], columns: ENTRY, sql: entries('') });
const LOCK_ENTRIES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: ENTRY,
  sql: entries('FOR NO KEY UPDATE OF e'),
});

export type StoredEntry = Row<typeof ENTRIES>;

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
  const read = lock ? LOCK_BOOKINGS : BY_EXTERNAL_ID;
  const rows = await read.rows(manager, [organizationId, externalIds]);
  return new Map(rows.map((row) => [row.external_booking_id, row]));
}

/** The booking, locked. Undefined if it does not exist or is cancelled. */
export async function lockStoredBooking(
  { manager, organizationId }: Organization,
  id: string,
): Promise<StoredBooking | undefined> {
  return LOCK_BOOKING.first(manager, [organizationId, id]);
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
  const read = lock ? LOCK_ENTRIES : ENTRIES;
  const rows = await read.rows(manager, [organizationId, bookingIds]);
  const entries = new Map<string, StoredEntry[]>(bookingIds.map((id) => [id, []]));
  rows.sort((a, b) => a.participant_index - b.participant_index);
  for (const row of rows) entries.get(row.booking_id)?.push(row);
  return entries;
}
