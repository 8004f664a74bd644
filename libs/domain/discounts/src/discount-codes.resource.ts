import { type Resource } from '#platform/queries';
import { DiscountCode } from './discount-codes.dto';

export const DISCOUNT_CODE: Resource = {
  schema: DiscountCode,
  from: 'discount_codes t',
  where: 't.deleted_at IS NULL',
  select: `
    t.id AS "id",
    t.code AS "code",
    t.discount AS "discount",
    t.applies_per AS "appliesPer",
    t.limit_usage AS "limitUsage",
    t.limit_usage_per_transaction AS "limitUsagePerTransaction",
    t.usage_count AS "usageCount",
    t.group_name AS "group",
    t.event_occurrence_ids AS "eventOccurrenceIds",
    t.ticket_ids AS "ticketIds",
    t.partner_id AS "partnerId",
    t.start_date_time AS "startDateTime",
    t.end_date_time AS "endDateTime",
    t.created_at AS "createdAt"`,
};
