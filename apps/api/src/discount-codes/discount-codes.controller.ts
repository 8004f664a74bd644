import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { DISCOUNT_CODE, DiscountCode, DiscountCodesService, DiscountCodeUpdate } from '#domain/discounts';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, Operation, repeatedAs } from '#platform/http';
import { Reads } from '#platform/queries';
import { operationsOf } from '../operations-of';

@Controller('v0/discount-codes')
export class DiscountCodesController {
  constructor(
    private readonly discountCodes: DiscountCodesService,
    private readonly reads: Reads,
  ) {}

  @Get(':id')
  @Operation({
    ...operationsOf('DiscountCodes', 'discountCodes:read'),
    name: 'getDiscountCode',
    summary: 'Read a discount code',
    description: 'Ids of credits, gift cards, referral codes and deleted codes return `404`.',
    surface: 'discountCodes',
    etag: true,
    answers: DiscountCode,
  })
  get(@Call() caller: Caller, @Param('id') id: string) {
    return this.reads.one(DISCOUNT_CODE, caller, id);
  }

  @Patch(':id')
  @Operation({
    ...operationsOf('DiscountCodes', 'discountCodes:write'),
    name: 'updateDiscountCode',
    idempotent: repeatedAs(DISCOUNT_CODE),
    summary: 'Change a discount code’s group',
    description: 'Only `group` can be changed; any other property returns `400`.',
    surface: 'discountCodes',
    body: DiscountCodeUpdate,
    answers: DiscountCode,
  })
  update(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Param('id') id: string,
    @Body() body: DiscountCodeUpdate,
  ) {
    return this.discountCodes.update(caller, id, body, actor);
  }
}
