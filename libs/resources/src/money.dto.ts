export const CURRENCY_CODES = [
  'AUD',
  'CAD',
  'DKK',
  'EUR',
  'GBP',
  'INR',
  'MXN',
  'PHP',
  'USD',
  'ZERO',
] as const;

/**
 * ISO 4217, and `ZERO` for what is free.
 * @example GBP
 */
export type CurrencyCode = (typeof CURRENCY_CODES)[number];

/**
 * An amount of money. With `ZERO` the value is 0.
 * @closed
 */
export class Price {
  /**
   * In minor units: 100 is one whole currency unit, 5 is five cents.
   * @integer
   * @minimum -1000000000000
   * @maximum 1000000000000
   * @example 4500
   */
  value: number;

  currencyCode: CurrencyCode;
}

/** Takes its `price` off, but no more than there is to pay. */
export class FlatRateDiscount {
  type: 'FLAT_RATE';
  price: Price;
}

/** Takes a part of the price off, rounded half up to the minor unit. */
export class PercentageDiscount {
  type: 'PERCENTAGE';

  /**
   * In per cent.
   * @example 15
   */
  amount: number;

  /**
   * Whether the checkout takes it off the booking fee too. Imports bring booking fees as line items of their own, and
   * leave them as they are.
   */
  isAppliedToBookingFee: boolean;
}

/** What a code or a reserved place takes off the price; nothing falls below zero. */
export type Discount = FlatRateDiscount | PercentageDiscount;
