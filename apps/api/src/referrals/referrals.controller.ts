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

@Controller('v0/referral-programs')
export class ReferralsController {
  constructor(
    private readonly referrals: ReferralsService,
    private readonly lists: Lists,
  ) {}

  @Get()
  @Operation({
    name: 'listReferralPrograms',
    group: 'Referrals',
    summary: 'List referral programs',
    description: 'Of all occurrences, with the ids that imports of referrals refer to.',
    keys: ['ORGANIZER'],
    permission: 'referrals:read',
    surface: 'referrals',
    rate: 'wide',
    etag: true,
    answers: REFERRAL_PROGRAMS,
  })
  listPrograms(@Page() page: ListRequest) {
    return this.lists.page(REFERRAL_PROGRAMS, page);
  }

  @Get(':referralProgramId/referrers')
  @Operation({
    name: 'listReferrers',
    group: 'Referrals',
    summary: 'List a referral program’s referrers',
    description:
      'One referrer for each generated referral code. Every booking of the occurrence owns a code; the bookings of one checkout share one. Bookings from before the program get theirs within minutes.',
    keys: ['ORGANIZER'],
    permission: 'referrals:read',
    surface: 'referrals',
    rate: 'wide',
    etag: true,
    answers: REFERRERS_OF_PROGRAM,
  })
  listReferrers(@Page() page: ListRequest) {
    return this.referrals.referrers(page);
  }

  @Get(':referralProgramId/referrers/:referralCodeOwnerBookingId/referrals')
  @Operation({
    name: 'listReferrals',
    group: 'Referrals',
    summary: 'List a referrer’s referrals',
    description:
      'The start list entries that are attributed to the code of the referrer. The result is the same for every booking of the referrer.',
    keys: ['ORGANIZER'],
    permission: 'referrals:read',
    surface: 'referrals',
    rate: 'wide',
    etag: true,
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
