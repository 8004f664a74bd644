import { type CURRENCY_CODES, Decimal, Int } from '#platform/validation';
/**
 * An ISO 4217 code, or `ZERO` for free items.
 * @example GBP
 */
export type CurrencyCode = (typeof CURRENCY_CODES)[number];

/**
 * An amount of money. With `ZERO` the value is 0.
 * @closed
 */
export class Price {
  /** In minor units: 100 is one whole currency unit, 5 is five cents. */
  @Int({ min: -1_000_000_000_000, max: 1_000_000_000_000, example: 4_500 }) value: number;
  currencyCode: CurrencyCode;
}

/** Deducts `price`, but no more than the amount to pay. */
export class FlatRateDiscount {
  type: 'FLAT_RATE';
  price: Price;
}

/** Deducts a percentage of the price, rounded half up to the minor unit. */
export class PercentageDiscount {
  type: 'PERCENTAGE';

  /** The percentage. */
  @Decimal({ min: 0, max: 100, example: 15 }) amount: number;

  /**
   * Tells the checkout, which is a separate system, whether the discount also applies to the booking fee. Imports contain
   * booking fees as separate line items, which do not change.
   */
  isAppliedToBookingFee: boolean;
}

/** The discount of a code or a reserved place. No price falls below zero. */
export type Discount = FlatRateDiscount | PercentageDiscount;
