import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';

/** The entries of team tickets that form units. Others, which hold no place, start none. */
export const isActive = (e: string) =>
  `(${e}.cancelled_at IS NULL AND ${e}.approval_status IN ('APPROVED', 'PENDING'))`;

/** With the approved ones first, a unit starts with an approved entry if it has any, and so holds its place. */
export const unitOrder = (e: string) => `${e}.approval_status <> 'APPROVED', ${e}.participant_index`;

const FORM_UNITS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    UPDATE start_list_entries e SET starts_unit = formed.starts_unit
    FROM (
      SELECT o.id, ${isActive('o')} AND (row_number() OVER (
          PARTITION BY o.booking_id, o.ticket_id, o.team_id, ${isActive('o')} ORDER BY ${unitOrder('o')}) - 1) % k.unit_size = 0 AS starts_unit
      FROM start_list_entries o
      JOIN tickets k ON k.organization_id = o.organization_id AND k.id = o.ticket_id
      WHERE o.organization_id = $1 AND o.booking_id = ANY ($2) AND k.unit_size > 1 AND o.reserved_entry_group_id IS NULL
    ) formed
    WHERE e.organization_id = $1 AND e.id = formed.id AND e.starts_unit <> formed.starts_unit
  `,
});

/**
 * The active entries of each booking form units of their tickets anew, by team, so that a place of the ticket is held as long as one of
 * its unit is. Call it after an entry has left, joined or been decided. The bookings and their entries must be locked.
 */
export async function formUnits(
  manager: EntityManager,
  organizationId: string,
  bookingIds: readonly string[],
): Promise<void> {
  await FORM_UNITS.run(manager, [organizationId, bookingIds]);
}
