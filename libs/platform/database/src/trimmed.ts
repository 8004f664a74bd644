/** The characters that String.prototype.trim removes. */
const WHITE_SPACE =
  "E' \\t\\n\\v\\f\\r\\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'";

/** An SQL expression that trims text in the same way as `trim()` in JavaScript. */
export const trimmed = (text: string): string => `btrim(${text}, ${WHITE_SPACE})`;

/** A column that holds an id of another system, or a code. */
export interface ExternalId {
  table: string;
  column: string;
  /** The rows whose ids must be unique, as a condition that begins with a column. */
  live: string;
  /** The expression that the unique index compares. */
  compared?: (text: string) => string;
}

export const EXTERNAL_IDS: readonly ExternalId[] = [
  { table: 'bookings', column: 'external_booking_id', live: "status = 'CONFIRMED'" },
  { table: 'line_items', column: 'external_line_item_id', live: 'released_at IS NULL' },
  { table: 'add_on_allocations', column: 'external_allocation_id', live: 'released_at IS NULL' },
  { table: 'credits', column: 'external_credit_id', live: 'id IS NOT NULL' },
  {
    table: 'discount_codes',
    column: 'code',
    live: 'deleted_at IS NULL',
    compared: (text) => `lower(${text})`,
  },
  { table: 'start_list_entries', column: 'external_assignment_id', live: 'cancelled_at IS NULL' },
  { table: 'start_list_entries', column: 'external_participant_id', live: 'id IS NULL' },
];
