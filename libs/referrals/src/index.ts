export { codeEarlierBookings, giveReferralCodes, ORGANIZATIONS_TO_CODE } from './referral-codes';
export {
  REFERRAL_PROGRAMS,
  REFERRALS_OF_REFERRER,
  REFERRERS_OF_PROGRAM,
  referralStatus,
} from './referrals.resource';
export { ReferralsService } from './referrals.service';
