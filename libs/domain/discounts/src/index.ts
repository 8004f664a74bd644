export type { DiscountCodeImportRow } from './discount-code-row.dto';
export { DiscountCode, DiscountCodeUpdate } from './discount-codes.dto';
export { DISCOUNT_CODE } from './discount-codes.resource';
export { DiscountCodesService } from './discount-codes.service';
export { StaffDiscountCodeUpdate } from './discount-codes-of-occurrence.dto';
export {
  DISCOUNT_CODE_FOR_STAFF,
  DISCOUNT_CODES_FOR_STAFF,
  DISCOUNT_CODES_OF_OCCURRENCE,
} from './discount-codes-of-occurrence.resource';
export { type Basket, DiscountUses, type Taken } from './discount-uses';
export { DiscountsDomainModule } from './discounts.module';
export { reduction } from './reduction';
export { discountCodesToUndo } from './undo-discount-codes';
