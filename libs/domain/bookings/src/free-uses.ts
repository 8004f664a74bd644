import { statement } from '#platform/database';

const fits = (e: string) =>
  `(d.ticket_ids IS NULL OR coalesce(${e}.sold_ticket_id, ${e}.ticket_id) = ANY (d.ticket_ids))`;

/** The entries that `DiscountUses` counted. */
const COUNTED = /* sql */ `(
  SELECT e.participant_id FROM start_list_entries e
  WHERE e.organization_id = b.organization_id AND e.booking_id = b.id
    AND (${fits('e')} OR NOT EXISTS (SELECT FROM start_list_entries o
      WHERE o.organization_id = b.organization_id AND o.booking_id = b.id AND ${fits('o')}))
  ORDER BY e.participant_index LIMIT d.limit_usage_per_transaction)`;

/** Of cancelled entries, if they are among those counted. */
export const FREE_USES_OF_CODES = statement({
  parameters: ['uuid', 'uuid[]', 'uuid[]'],
  sql: `
    UPDATE bookings b SET discount_uses = greatest(0,
      b.discount_uses - (SELECT count(*) FROM ${COUNTED} counted WHERE counted.participant_id = ANY ($3)))
    FROM discount_codes d
    WHERE b.organization_id = $1 AND b.id = ANY ($2) AND b.discount_uses > 0
      AND d.organization_id = b.organization_id AND d.id = b.discount_code_id AND d.applies_per = 'ENTRY'
      AND EXISTS (SELECT FROM ${COUNTED} counted WHERE counted.participant_id = ANY ($3))
  `,
});
