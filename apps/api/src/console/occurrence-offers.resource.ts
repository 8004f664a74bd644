import { referralStatus } from '#libs/referrals';
import { freeText, instant, type ListDeclaration } from '#libs/resources';
import { StaffDiscountCode, StaffReferralProgram } from './occurrence-offers.dto';

/** Codes of every occurrence, and those that name this one. */
export const DISCOUNT_CODES_OF_OCCURRENCE: ListDeclaration = {
  name: 'discountCodesOfOccurrence',
  schemaName: 'PagedStaffDiscountCodes',
  of: {
    schema: StaffDiscountCode,
    from: `(SELECT d.*, o.id AS of_occurrence_id FROM discount_codes d
      JOIN event_occurrences o ON o.organization_id = d.organization_id
        AND (d.event_occurrence_ids IS NULL OR o.id = ANY (d.event_occurrence_ids))
      WHERE d.deleted_at IS NULL) t`,
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
  },
  within: { column: 't.of_occurrence_id', parent: 'event_occurrences' },
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    search: {
      parameter: freeText('Only codes that contain this text, or whose group does; case is ignored.', {
        max: 100,
      }),
      where: (value) => `position(lower(${value}) IN lower(t.code || ' ' || coalesce(t.group_name, ''))) > 0`,
    },
  },
};

const counted = (status: string) => `count(*) FILTER (WHERE status = '${status}')`;

export const REFERRAL_PROGRAMS_OF_OCCURRENCE: ListDeclaration = {
  name: 'referralProgramsOfOccurrence',
  schemaName: 'PagedStaffReferralPrograms',
  of: {
    schema: StaffReferralProgram,
    from: 'referral_programs t',
    joins: `
      CROSS JOIN LATERAL (
        SELECT count(*) AS referrers FROM referrers r
        WHERE r.organization_id = t.organization_id AND r.referral_program_id = t.id
      ) codes
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT referrer_id) AS active, json_build_object('eligible', ${counted('ELIGIBLE')},
          'redeemed', ${counted('REDEEMED')}, 'cancelled', ${counted('CANCELLED')}) AS by_status
        FROM (
          SELECT f.referrer_id, ${referralStatus('f')} AS status FROM referrers r
          JOIN referrals f ON f.organization_id = r.organization_id AND f.referrer_id = r.id
          WHERE r.organization_id = t.organization_id AND r.referral_program_id = t.id
        ) referred
      ) referrals`,
    select: `
      t.id AS "id",
      t.title AS "title",
      codes.referrers AS "referrers",
      referrals.active AS "activeReferrers",
      referrals.by_status AS "referrals"`,
  },
  within: { column: 't.event_occurrence_id', parent: 'event_occurrences' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};
