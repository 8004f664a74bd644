export { REFERRAL_PROGRAMS_OF_OCCURRENCE } from './referral-programs-of-occurrence.resource';
export { ReferralsDomainModule } from './referrals.module';
export { REFERRAL_PROGRAMS, REFERRALS_OF_REFERRER, REFERRERS_OF_PROGRAM } from './referrals.resource';
export { ReferralsService } from './referrals.service';
export { REFERRALS_FOR_STAFF } from './referrals-for-staff.resource';
export { referralsToUndo } from './undo-referrals';
