import { answerTo, STAFF_ENTRY, STAFF_ENTRY_COLUMNS } from '#domain/participants';
import type { ListDeclaration } from '#platform/queries';
import { referralStatus } from './referrals.resource';
import { StaffReferral } from './referrals-for-staff.dto';

export const REFERRALS_FOR_STAFF: ListDeclaration = {
  name: 'referralsForStaff',
  schemaName: 'PagedStaffReferrals',
  of: {
    schema: StaffReferral,
    from: `(SELECT e.*, f.id AS referral_id, f.created_at AS referred_at, ${referralStatus('f')} AS referral_status,
        r.id AS referrer_id, r.referral_program_id, r.generated_referral_code
      FROM referrers r
      JOIN referrals f ON f.organization_id = r.organization_id AND f.referrer_id = r.id
      JOIN start_list_entries e ON e.organization_id = f.organization_id AND e.id = f.start_list_entry_id) t`,
    joins: `${STAFF_ENTRY.joins}
      LEFT JOIN LATERAL (
        SELECT e.participant_id, trim(concat_ws(' ', ${answerTo("'firstName'", 'e')}, ${answerTo("'lastName'", 'e')})) AS name
        FROM referrer_owner_bookings o
        JOIN start_list_entries e ON e.organization_id = o.organization_id AND e.booking_id = o.booking_id
        WHERE o.organization_id = t.organization_id AND o.referrer_id = t.referrer_id AND e.approval_status = 'APPROVED'
        ORDER BY o.booking_id, e.participant_index LIMIT 1
      ) owner ON true`,
    select: `${STAFF_ENTRY_COLUMNS},
    t.referral_status AS "status",
    t.generated_referral_code AS "code",
    owner.participant_id AS "referrerId",
    nullif(owner.name, '') AS "referrerName"`,
    id: 't.referral_id',
  },
  within: { column: 't.referral_program_id', parent: 'referral_programs' },
  order: { sql: 't.referred_at', type: 'timestamptz' },
  newestFirst: true,
};
