import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import {
  DISCOUNT_CODE_FOR_STAFF,
  DISCOUNT_CODES_FOR_STAFF,
  DiscountCodesService,
  StaffDiscountCodeUpdate,
} from '#domain/discounts';
import { ENTRIES_OF_CODE } from '#domain/participants';
import { REFERRALS_FOR_STAFF } from '#domain/referrals';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, Operation, Page, repeatedAs } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { MANAGERS, READERS } from '../roles';

/** Discount codes and referrals, with who used them. */
@Controller('console/v1')
export class CodesController {
  constructor(
    private readonly reads: Reads,
    private readonly lists: Lists,
    private readonly discountCodes: DiscountCodesService,
  ) {}

  @Get('discount-codes')
  @Operation({
    ...READERS,
    name: 'listStaffDiscountCodes',
    summary: 'List discount codes with their uses, newest first',
    answers: DISCOUNT_CODES_FOR_STAFF,
    large: true,
  })
  codes(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(DISCOUNT_CODES_FOR_STAFF, page);
  }

  @Get('discount-codes/:id')
  @Operation({
    ...READERS,
    name: 'getStaffDiscountCode',
    summary: 'Read a discount code with its uses',
    answers: DISCOUNT_CODE_FOR_STAFF.schema,
  })
  code(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(DISCOUNT_CODE_FOR_STAFF, caller, id);
  }

  @Patch('discount-codes/:id')
  @Operation({
    ...MANAGERS,
    name: 'updateStaffDiscountCode',
    idempotent: repeatedAs(DISCOUNT_CODE_FOR_STAFF),
    summary: 'Change the limit or the end of a discount code',
    body: StaffDiscountCodeUpdate,
    answers: DISCOUNT_CODE_FOR_STAFF.schema,
  })
  updateCode(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Param('id') id: string,
    @Body() body: StaffDiscountCodeUpdate,
  ): Promise<JsonText> {
    return this.discountCodes.updateByStaff(caller, actor, id, body);
  }

  @Get('discount-codes/:id/entries')
  @Operation({
    ...READERS,
    name: 'listDiscountCodeEntries',
    summary: 'List the entries of bookings that used a discount code, newest first',
    description: 'Cancelled entries are included, though their uses do not count.',
    answers: ENTRIES_OF_CODE,
  })
  uses(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(ENTRIES_OF_CODE, page);
  }

  @Get('referral-programs/:id/referrals')
  @Operation({
    ...READERS,
    name: 'listStaffReferrals',
    summary: 'List the entries that were referred in a referral programme, newest first',
    answers: REFERRALS_FOR_STAFF,
  })
  referrals(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(REFERRALS_FOR_STAFF, page);
  }
}
