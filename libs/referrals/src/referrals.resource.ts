import type { ListDeclaration } from '#libs/resources';
import { Referral, ReferralProgram, Referrer } from './referrals.dto';

export const REFERRAL_PROGRAMS: ListDeclaration = {
  name: 'referralPrograms',
  schemaName: 'PagedReferralPrograms',
  of: {
    schema: ReferralProgram,
    from: 'referral_programs t',
    select: `
      t.id AS "id",
      t.title AS "title",
      t.event_id AS "eventId",
      t.event_occurrence_id AS "eventOccurrenceId"`,
  },
  order: { sql: 't.created_at', type: 'timestamptz' },
};

export const REFERRERS_OF_PROGRAM: ListDeclaration = {
  name: 'referrersOfProgram',
  schemaName: 'PagedReferrers',
  of: {
    schema: Referrer,
    from: 'referrers t',
    select: `
      t.generated_referral_code AS "generatedReferralCode",
      array(SELECT o.booking_id FROM referrer_owner_bookings o
        WHERE o.organization_id = t.organization_id AND o.referrer_id = t.id
        ORDER BY o.booking_id) AS "referralCodeOwnerBookingIds",
      t.invite_url AS "inviteUrl"`,
  },
  within: { column: 't.referral_program_id', parameter: 'referralProgramId', parent: 'referral_programs' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};

/** Within a referrer, whom the path names by any booking that owns its code. */
export const REFERRALS_OF_REFERRER: ListDeclaration = {
  name: 'referralsOfReferrer',
  schemaName: 'PagedReferrals',
  of: {
    schema: Referral,
    from: 'referrals t',
    select: `
      t.id AS "referralId",
      t.referred_booking_id AS "referredBookingId",
      t.start_list_entry_id AS "startListEntryId",
      t.event_id AS "eventId",
      t.event_occurrence_id AS "eventOccurrenceId",
      (SELECT CASE WHEN e.cancelled_at IS NOT NULL OR e.approval_status IN ('REJECTED', 'WITHDRAWN') THEN 'CANCELLED'
          WHEN t.status IN ('CANCELLED', 'REDEEMED') THEN t.status
          ELSE 'ELIGIBLE' END
        FROM start_list_entries e
        WHERE e.organization_id = t.organization_id AND e.id = t.start_list_entry_id) AS "status"`,
  },
  within: { column: 't.referrer_id', parameter: 'referralCodeOwnerBookingId', parent: 'referrers' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};
