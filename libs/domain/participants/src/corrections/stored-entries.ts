import { type FieldAnswer, type Row, type StartListEntry, statement, typed } from '#platform/database';
import type { Organization } from '#platform/import-rows';
import { instant } from '#platform/queries';
import type { StoredMetadata } from '../entry-metadata';

/** What entries show of their booking, under the names of its columns. */
export const BOOKING_OF_ENTRIES = {
  id: 'uuid',
  external_booking_id: 'text!',
  event_occurrence_id: 'uuid',
  booker_first_name: 'text?',
  booker_last_name: 'text?',
  booker_phone: 'text?',
  /** Null after the booker is redacted. */
  booker_email: 'text?',
  booker_type: 'text',
  partner_id: 'uuid?',
  tracking: 'jsonb',
  metadata: typed<Record<string, unknown> | null>('jsonb?'),
  discount_code: 'text?',
} as const;

/** A select list. @param expressions of columns that are not stored like that */
const select = (table: string, columns: object, expressions: Record<string, string>): string =>
  Object.keys(columns)
    .map((column) => (column in expressions ? `${expressions[column]} AS ${column}` : `${table}.${column}`))
    .join(', ');

/** Bookings `b` that are not cancelled. */
export const bookingsOfEntries = (
  which: string,
  columns: typeof BOOKING_OF_ENTRIES = BOOKING_OF_ENTRIES,
  expressions: Record<string, string> = {},
) => /* sql */ `
  SELECT ${select('b', columns, {
    discount_code: `(SELECT d.code FROM discount_codes d
      WHERE d.organization_id = b.organization_id AND d.id = b.discount_code_id)`,
    ...expressions,
  })}
  FROM bookings b
  WHERE b.organization_id = $1 AND b.status = 'CONFIRMED' AND ${which}
`;
const LOCK_BOOKING = statement({
  parameters: ['uuid', 'uuid'],
  columns: BOOKING_OF_ENTRIES,
  sql: bookingsOfEntries('b.id = $2 FOR UPDATE OF b'),
});

export type BookingOfEntries = Row<typeof LOCK_BOOKING>;

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
  reserved_entry_group_id: 'uuid?',
  partner_marketing_opt_ins: 'jsonb',
  result_url: 'text?',
  result_submitted_at: 'text?',
  external_participant_id: 'text?',
  bib_claim: 'text?',
  /** Of a cancelled entry, whose claim has ended. */
  last_claim: 'text?',
  bib_number: 'text?',
  bib_changed_at: 'text?',
  starts_unit: 'boolean',
  metadata: typed<StoredMetadata>('jsonb'),
  gdpr_redacted: 'boolean',
  is_cancelled: 'boolean',
  race_day_bytes: 'int',
  original_price: typed<Amount>('json'),
  /** The charge of the unit that starts with the entry, with changes of tickets; null if none does. */
  charged: typed<Amount | null>('json?'),
} as const;

const entries = (locking: string) => /* sql */ `
  SELECT ${select('e', ENTRY, {
    team_name:
      '(SELECT t.name FROM teams t WHERE t.organization_id = e.organization_id AND t.id = e.team_id)',
    result_submitted_at: instant('e.result_submitted_at'),
    bib_changed_at: instant('e.bib_changed_at'),
    is_cancelled: 'e.cancelled_at IS NOT NULL',
    last_claim: `CASE WHEN e.cancelled_at IS NOT NULL THEN (SELECT c.bib_number FROM bib_claims c
      WHERE c.organization_id = e.organization_id AND c.participant_id = e.participant_id
      ORDER BY c.changed_at DESC, c.seq DESC LIMIT 1) END`,
    race_day_bytes: 'octet_length(e.race_day_fields::text)',
    original_price: `json_build_object('value', e.original_price_value, 'currencyCode', e.original_price_currency)`,
    charged: `(SELECT json_build_object('value', sum(l.amount_value), 'currencyCode', min(l.currency_code)) FROM line_items l
      WHERE l.organization_id = e.organization_id AND l.booking_id = e.booking_id AND l.participant_id = e.participant_id
        AND l.item_type = 'TICKET' AND l.external_line_item_id IS NULL HAVING count(*) > 0)`,
  })}
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

/** The booking, locked. Undefined if it does not exist or is cancelled. */
export async function lockBookingOfEntries(
  { manager, organizationId }: Organization,
  id: string,
): Promise<BookingOfEntries | undefined> {
  return LOCK_BOOKING.first(manager, [organizationId, id]);
}

/**
 * Their entries, by booking and in the order of the booking. They are locked unless `lock` is false; the bibs of their races must be
 * locked before.
 */
export async function storedEntries(
  { manager, organizationId }: Organization,
  bookings: Iterable<{ id: string }>,
  { lock = true } = {},
): Promise<Map<string, StoredEntry[]>> {
  const bookingIds = [...bookings].map(({ id }) => id);
  if (bookingIds.length === 0) return new Map();
  const read = lock ? LOCK_ENTRIES : ENTRIES;
  const rows = await read.rows(manager, [organizationId, bookingIds]);
  const entries = new Map<string, StoredEntry[]>(bookingIds.map((id) => [id, []]));
  rows.sort((a, b) => a.participant_index - b.participant_index);
  for (const row of rows) entries.get(row.booking_id)?.push(row);
  return entries;
}
