import { Controller, Get, Param } from '@nestjs/common';
import {
  OCCURRENCE_ENTRIES,
  OCCURRENCE_OVERVIEW,
  OCCURRENCES_FOR_STAFF,
  OccurrenceEntries,
  OccurrenceOverview,
} from '#domain/catalogue';
import { DISCOUNT_CODES_OF_OCCURRENCE } from '#domain/discounts';
import { REFERRAL_PROGRAMS_OF_OCCURRENCE } from '#domain/referrals';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { READERS } from '../roles';

@Controller('console/v1/event-occurrences')
export class OccurrencesController {
  constructor(
    private readonly reads: Reads,
    private readonly lists: Lists,
  ) {}

  @Get()
  @Operation({
    ...READERS,
    // Members of a partner see those of its places.
    roles: [...READERS.roles, 'PARTNER'],
    name: 'listStaffOccurrences',
    summary: 'List event occurrences with and without a date, the latest first',
    answers: OCCURRENCES_FOR_STAFF,
  })
  all(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(OCCURRENCES_FOR_STAFF, page);
  }

  @Get(':id')
  @Operation({
    ...READERS,
    name: 'getOccurrenceOverview',
    summary: 'Read the used capacity and the entries by day of an event occurrence',
    answers: OccurrenceOverview,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(OCCURRENCE_OVERVIEW, caller, id);
  }

  @Get(':id/entries-by-day')
  @Operation({
    ...READERS,
    name: 'getOccurrenceEntriesByDay',
    summary: 'Read the entries of an event occurrence by day and source, with those of the edition before',
    answers: OccurrenceEntries,
  })
  entriesByDay(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(OCCURRENCE_ENTRIES, caller, id);
  }

  @Get(':id/discount-codes')
  @Operation({
    ...READERS,
    name: 'listOccurrenceDiscountCodes',
    summary: 'List the discount codes that are valid for an event occurrence, newest first',
    description: 'Codes that name the occurrence, and codes that are valid for every occurrence.',
    answers: DISCOUNT_CODES_OF_OCCURRENCE,
    large: true,
  })
  discountCodes(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(DISCOUNT_CODES_OF_OCCURRENCE, page);
  }

  @Get(':id/referral-programs')
  @Operation({
    ...READERS,
    name: 'listOccurrenceReferralPrograms',
    summary: 'List the referral programmes of an event occurrence, with their referrals by status',
    answers: REFERRAL_PROGRAMS_OF_OCCURRENCE,
  })
  referralPrograms(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(REFERRAL_PROGRAMS_OF_OCCURRENCE, page);
  }
}
