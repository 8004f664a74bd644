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
 * An amount of money.
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

/** The price is this instead. */
export class FlatRateDiscount {
  type: 'FLAT_RATE';
  price: Price;
}

/** So much off the price. */
export class PercentageDiscount {
  type: 'PERCENTAGE';

  /**
   * In per cent.
   * @example 15
   */
  amount: number;

  /** Whether the booking fee falls with the price. */
  isAppliedToBookingFee: boolean;
}

/** What a code or a reserved place takes off the price. */
export type Discount = FlatRateDiscount | PercentageDiscount;
