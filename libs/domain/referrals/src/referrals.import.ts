import { defineImport, exactlyOne } from '#platform/import-rows';
import { type ReferralImportRow, ReferralsImport } from './referral-row.dto';

export const referralsImport = defineImport<'referralsImport', ReferralImportRow>({
  surface: 'referralsImport',
  what: 'referrals',
  description: "Bookings that were made with a referrer's code.",
  path: 'referrals/import',
  collection: 'referrals',
  body: ReferralsImport,
  row: 'ReferralImportRow',
  identity: {
    referralProgramId: 'exact',
    generatedReferralCode: 'compared',
    referredBookingId: 'exact',
    referredExternalBookingId: 'exact',
  },
  broken: (row) => exactlyOne(row, 'referredBookingId', 'referredExternalBookingId'),
  ids: { referralId: 'referrals.id', referralIds: 'referrals.id' },
  handler: () => (require('./import-referrals') as typeof import('./import-referrals')).importReferrals,
  undo: {
    permission: 'referrals:import',
    handler: () => (require('./undo-referrals') as typeof import('./undo-referrals')).undoReferrals,
  },
});
