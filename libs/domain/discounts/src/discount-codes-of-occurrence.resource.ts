import { contains, instant, type ListDeclaration, ofId, type Resource } from '#platform/queries';
import { StaffDiscountCode } from './discount-codes-of-occurrence.dto';

const search = contains(
  `concat_ws(' ', t.code, t.group_name)`,
  'Only codes that contain this text, or whose group does; case and accents are ignored.',
);

export const DISCOUNT_CODE_FOR_STAFF: Resource = {
  schema: StaffDiscountCode,
  from: 'discount_codes t',
  where: 't.deleted_at IS NULL',
  select: `
      t.id AS "id",
      t.code AS "code",
      t.discount AS "discount",
      t.applies_per AS "appliesPer",
      t.usage_count AS "usageCount",
      t.limit_usage AS "limitUsage",
      CASE WHEN t.limit_usage IS NOT NULL THEN greatest(0, t.limit_usage - t.usage_count) END AS "usesLeft",
      t.group_name AS "group",
      t.event_occurrence_ids IS NULL AS "everywhere",
      ${instant('t.start_date_time')} AS "startDateTime",
      ${instant('t.end_date_time')} AS "endDateTime"`,
};

export const DISCOUNT_CODES_FOR_STAFF: ListDeclaration = {
  name: 'discountCodesForStaff',
  schemaName: 'PagedStaffDiscountCodes',
  of: DISCOUNT_CODE_FOR_STAFF,
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    search,
    partnerId: ofId('partner_id', 'Only codes that were given to this partner.'),
  },
};

/** Codes of every occurrence, and those that name this one. */
export const DISCOUNT_CODES_OF_OCCURRENCE: ListDeclaration = {
  name: 'discountCodesOfOccurrence',
  schemaName: 'PagedStaffDiscountCodes',
  of: {
    ...DISCOUNT_CODE_FOR_STAFF,
    from: `(SELECT d.*, o.id AS of_occurrence_id FROM discount_codes d
      JOIN event_occurrences o ON o.organization_id = d.organization_id
        AND (d.event_occurrence_ids IS NULL OR o.id = ANY (d.event_occurrence_ids))) t`,
  },
  within: { column: 't.of_occurrence_id', parent: 'event_occurrences' },
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: { search },
};
