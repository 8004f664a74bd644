export { type DiscountAppliesPer, DiscountCode, DiscountCodeUpdate } from './discount-codes.dto';
export { DISCOUNT_CODE } from './discount-codes.resource';
export { DiscountCodesService } from './discount-codes.service';
export { type Basket, DiscountUses, type Taken } from './discount-uses';
export { reduction } from './reduction';
