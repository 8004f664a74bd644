import { Controller, Get, Param } from '@nestjs/common';
import {
  REFERRAL_PROGRAMS,
  REFERRALS_OF_REFERRER,
  REFERRERS_OF_PROGRAM,
  ReferralsService,
} from '#domain/referrals';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type ListRequest, Lists } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('Referrals', 'referrals:read'), etag: true } as const;

@Controller('v0/referral-programs')
export class ReferralsController {
  constructor(
    private readonly referrals: ReferralsService,
    private readonly lists: Lists,
  ) {}

  @Get()
  @Operation({
    ...READ,
    name: 'listReferralPrograms',
    summary: 'List referral programs',
    description: 'Of all occurrences, with the ids that imports of referrals refer to.',
    surface: 'referrals',
    answers: REFERRAL_PROGRAMS,
  })
  listPrograms(@Page() page: ListRequest) {
    return this.lists.page(REFERRAL_PROGRAMS, page);
  }

  @Get(':referralProgramId/referrers')
  @Operation({
    ...READ,
    name: 'listReferrers',
    summary: 'List a referral program’s referrers',
    description:
      'One referrer for each generated referral code. Every booking of the occurrence owns a code; the bookings of one checkout share one. Bookings from before the program get theirs within minutes.',
    surface: 'referrals',
    answers: REFERRERS_OF_PROGRAM,
  })
  listReferrers(@Page() page: ListRequest) {
    return this.referrals.referrers(page);
  }

  @Get(':referralProgramId/referrers/:referralCodeOwnerBookingId/referrals')
  @Operation({
    ...READ,
    name: 'listReferrals',
    summary: 'List a referrer’s referrals',
    description:
      'The start list entries that are attributed to the code of the referrer. The result is the same for every booking of the referrer.',
    surface: 'referrals',
    answers: REFERRALS_OF_REFERRER,
  })
  listReferrals(
    @Call() caller: Caller,
    @Param('referralProgramId') referralProgramId: string,
    @Param('referralCodeOwnerBookingId') ownerBookingId: string,
    @Page() page: ListRequest,
  ) {
    return this.referrals.ofReferrer(caller, referralProgramId, ownerBookingId, page);
  }
}
