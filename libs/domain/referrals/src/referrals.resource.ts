import { checkoutUrl } from '#domain/catalogue';
import type { ListDeclaration } from '#platform/queries';
import { Referral, ReferralProgram, Referrer } from './referrals.dto';

/** The status of a referral, which also depends on its entry. */
export const referralStatus = (referral: string): string => `
      (SELECT CASE WHEN e.cancelled_at IS NOT NULL OR e.approval_status IN ('REJECTED', 'WITHDRAWN') THEN 'CANCELLED'
          WHEN ${referral}.status IN ('CANCELLED', 'REDEEMED') THEN ${referral}.status
          ELSE 'ELIGIBLE' END
        FROM start_list_entries e
        WHERE e.organization_id = ${referral}.organization_id AND e.id = ${referral}.start_list_entry_id)`;

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

/** A parameter of its values is `inviteTemplate`: the template of a checkout link, to which the code is appended. */
export const REFERRERS_OF_PROGRAM: ListDeclaration = {
  name: 'referrersOfProgram',
  schemaName: 'PagedReferrers',
  of: {
    schema: Referrer,
    from: 'referrers t',
    select: (values, bind) => `
      t.generated_referral_code AS "generatedReferralCode",
      array(SELECT o.booking_id FROM referrer_owner_bookings o
        WHERE o.organization_id = t.organization_id AND o.referrer_id = t.id
        ORDER BY o.booking_id) AS "referralCodeOwnerBookingIds",
      coalesce(t.invite_url, (
        SELECT ${checkoutUrl('o', bind(values.inviteTemplate))} || t.generated_referral_code
        FROM referral_programs p
        JOIN event_occurrences o ON o.organization_id = p.organization_id AND o.id = p.event_occurrence_id
        WHERE p.organization_id = t.organization_id AND p.id = t.referral_program_id)) AS "inviteUrl"`,
  },
  within: { column: 't.referral_program_id', parameter: 'referralProgramId', parent: 'referral_programs' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};

/** The path identifies the referrer by any booking that owns the code. */
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
      ${referralStatus('t')} AS "status"`,
  },
  within: { column: 't.referrer_id', parameter: 'referralCodeOwnerBookingId', parent: 'referrers' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};
