import type { ListDeclaration } from '#platform/queries';
import { StaffReferralProgram } from './referral-programs-of-occurrence.dto';
import { referralStatus } from './referrals.resource';

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
